import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heading, openConsole } from './console.ts';

const { open } = await openConsole();
const ADMIN = 'admin@globex.example';

describe('what a company has', () => {
  it('departments are added, changed and deleted in place, and not while people are in them', () =>
    open('/departments', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a department' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Department').fill('Research');
      await form.getByLabel('Cost code').fill('RES-1');
      await form.getByLabel('Budget').fill('60k');
      await form.getByRole('button', { name: 'Add a department' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Research' });
      await row.getByText('₹60,000').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Budget').fill('x');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('An amount is digits').waitFor();
      await form.getByLabel('Budget').fill('Rs 75,000/-');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('₹75,000').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByRole('link', { name: /^History: .*Research/ }).click();
      await page.getByText(/^What concerns .?Research.?: newest first/).waitFor();
      assert.deepEqual(
        await page
          .getByRole('row')
          .getByText(/^Department (added|changed)$/)
          .allTextContents(),
        ['Department changed', 'Department added'],
      );
      await page.getByLabel('What changed').selectOption('Band');
      await page.getByText('Department added').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Show all changes' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Departments' }).first().click();
      await row.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('button', { name: /^Delete/ }).click();
      await row.waitFor({ state: 'detached' });
      const used = page
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: /^[1-9]\d*$/ }) })
        .first();
      await used.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('alert').waitFor();
    }));

  it('bands are added with no largest booking, and changed', () =>
    open('/bands', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a band' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Band').fill('Directors');
      await form.getByLabel('Code').fill('BOARD');
      await form.getByRole('button', { name: 'Add a band' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Directors' });
      await row.getByText('no limit').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Largest booking').fill('2 lakh');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('₹2,00,000').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Largest booking').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('no limit').waitFor();
    }));

  it('a policy is a ladder whose amounts are checked as one types, and says who approves', () =>
    open('/policies', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add an approval policy' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Conferences');
      await form.getByLabel('Approved automatically up to').fill('5k');
      await form.getByRole('button', { name: 'Add a level' }).click();
      await form.getByLabel('From which amount, level 1').fill('50,000');
      await form.getByRole('button', { name: 'Add a level' }).click();
      await form.getByLabel('From which amount, level 2').fill('20k');
      await form.getByText('Level 2 begins below the level before it.').waitFor();
      await form.getByRole('button', { name: 'Add an approval policy' }).click();
      await form.getByRole('alert').waitFor();
      await form.getByLabel('From which amount, level 2').fill('1 lakh');
      await form.getByLabel('Who approves at level 2').selectOption('Platform RM');
      await form.getByText('Bookings above ₹5,000 and below ₹50,000 need no approval.').waitFor();
      await form.getByRole('button', { name: 'Add an approval policy' }).click();
      await heading(page, 'Conferences');
      await page.getByLabel('Amount of the booking').fill('4,000');
      await page.getByTestId('evaluation').getByText('Nobody has to approve it.').waitFor();
      await page.getByLabel('Amount of the booking').fill('49,999');
      await page.getByTestId('evaluation').getByText('Bookings above ₹5,000 and below').waitFor();
      await page.getByLabel('Amount of the booking').fill('999 crore');
      await page.getByTestId('evaluation').getByText('for a level there is nobody').waitFor();
      await page.getByTestId('evaluation').getByText('Nobody holds this role with a limit').first().waitFor();
      await page.getByPlaceholder('Anybody, or search by name').fill('a');
      await page.getByRole('option').first().click();
      await page.waitForURL(/userId=/);
      await page.getByRole('button', { name: /^Edit/ }).click();
      await form.getByRole('button', { name: 'Remove level 2' }).click();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('list', { name: 'Levels of Conferences' }).getByText('from ₹50,000').waitFor();
      assert.equal(await page.getByText('from ₹1,00,000').count(), 0);
      await page.getByRole('link', { name: /^History: .*Conferences/ }).click();
      await page.getByText('Level of a policy removed').waitFor();
      await page.getByRole('row').getByRole('link', { name: 'Conferences' }).click();
      await heading(page, 'Conferences');
      await page.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('button', { name: /^Delete/ }).click();
      await page.waitForURL(/\/policies$/);
      await page.getByRole('article').filter({ hasText: 'Conferences' }).waitFor({ state: 'detached' });
    }));

  it('an approver is named, and leads to their page', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      await page.getByRole('link', { name: 'Domestic travel' }).click();
      await page.getByLabel('Amount of the booking').fill('20,000');
      const answer = page.getByTestId('evaluation');
      await answer.getByText('These approve').waitFor();
      const approver = answer.getByRole('link').first();
      const name = ((await approver.textContent()) ?? '').trim();
      await approver.click();
      await heading(page, name);
    }));
});

describe('history', () => {
  it('of a company is narrowed, and leads to people', () =>
    open('/history', ADMIN, async (page) => {
      await page.getByTestId('count').waitFor();
      await page.getByLabel('Company', { exact: true }).selectOption('Globex');
      await page.waitForURL(/companyId=/);
      await page.getByRole('link', { name: 'Show all changes' }).click();
      await page.waitForURL(/\/history$/);
    }));

  it('of somebody without a role is their own', () =>
    open('/history', 'employee@acme.example', (page) => heading(page, 'History')));
});
