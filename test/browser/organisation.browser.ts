import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertBecomes } from './browser.ts';
import { heading, openConsole, openPolicy } from './console.ts';

const { open, address, tokenOf } = await openConsole();
const ADMIN = 'admin@globex.example';

describe('what a company has', () => {
  it('an administrator adds, changes and deletes departments, but none with people', () =>
    open('/departments', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a department' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Department').fill('Research');
      await form.getByLabel('Cost code').fill('RES-1');
      await form.getByLabel('Budget').fill('60k');
      await form.getByRole('button', { name: 'Add a department' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Research' });
      await row.getByText('₹60,000').first().waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Budget').fill('x');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('An amount is digits').waitFor();
      await form.getByLabel('Budget').fill('Rs 75,000/-');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('₹75,000').first().waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByRole('link', { name: /^History: .*Research/ }).click();
      await page.getByText(/^Changes to .?Research.?, newest first/).waitFor();
      await page.getByText('changed the department Research: Budget from ₹60,000 to ₹75,000').waitFor();
      await page.getByText(/ added the department Research$/).waitFor();
      await page.getByLabel('What changed').selectOption('Band');
      await page.getByText('added the department Research').waitFor({ state: 'detached' });
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
      await form.getByRole('note').getByText('Move them first.').waitFor();
      await assertBecomes(() => form.getByRole('button', { name: /^Delete/ }).isDisabled(), true);
      await form.getByRole('link', { name: 'Show these people' }).click();
      await page.waitForURL(/\/people\?companyId=.*&departmentId=/);
    }));

  it('an administrator adds a band without a maximum booking, sets a maximum and clears the maximum', () =>
    open('/bands', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a band' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Band').fill('Directors');
      await form.getByLabel('Code').fill('BOARD');
      await form.getByRole('button', { name: 'Add a band' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Directors' });
      await row.getByText('no limit').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Maximum booking').fill('2 lakh');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('₹2,00,000').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Maximum booking').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('no limit').waitFor();
    }));

  it('an administrator adds a policy with checked levels, and sees who approves an amount', () =>
    open('/policies', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add an approval policy' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Conferences');
      await form
        .getByTestId('precedence')
        .getByText(/^Has the same precedence as .?Domestic travel/)
        .waitFor();
      await form.getByLabel('Priority').fill('300');
      await form.getByTestId('precedence').getByText('Never applies: ').waitFor();
      await form.getByLabel('Approved automatically up to').fill('5k');
      await form.getByRole('button', { name: 'Add a level' }).click();
      await form.getByLabel('Level 1: from').fill('50,000');
      await form.getByRole('button', { name: 'Add a level' }).click();
      await form.getByLabel('Level 2: from').fill('20k');
      await form.getByText('It starts below the level before it.').waitFor();
      await form.getByRole('button', { name: 'Add an approval policy' }).click();
      await form.getByRole('alert').waitFor();
      await form.getByLabel('Level 2: from').fill('1 lakh');
      await form.getByLabel('Level 2: approver').selectOption('Platform RM');
      await form.getByRole('button', { name: 'Add an approval policy' }).click();
      await heading(page, 'Conferences');
      await page.getByLabel('Amount of the booking').fill('4,000');
      await page.getByTestId('evaluation').getByText('Nobody has to approve it.').waitFor();
      await page.getByLabel('Amount of the booking').fill('49,999');
      const reason = 'No level begins at ₹49,999 or below: the lowest one decides.';
      await page.getByTestId('evaluation').getByText(reason).waitFor();
      await page.getByTestId('evaluation').getByText('These approve').waitFor();
      await page.getByLabel('Amount of the booking').fill('999 crore');
      await page.getByTestId('evaluation').getByText('nobody at the last step or above it has the authority').waitFor();
      await page.getByTestId('evaluation').getByText('Nobody holds this role with a limit').first().waitFor();
      await page.getByPlaceholder('Anybody, or search by name').fill('a');
      await page.getByRole('option').first().click();
      await page.waitForURL(/userId=/);
      await page.getByRole('button', { name: /^Edit/ }).click();
      await form.getByRole('button', { name: 'Remove level 2' }).click();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page
        .getByRole('list', { name: 'Levels of Conferences' })
        .getByText('from ₹50,000', { exact: true })
        .waitFor();
      await assertBecomes(() => page.getByText('from ₹1,00,000').count(), 0);
      await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
      await page
        .getByText(/ removed a level from the approval policy Conferences: Platform RM from ₹1,00,000$/)
        .waitFor();
      await page.getByRole('row').getByRole('link', { name: 'Conferences' }).first().click();
      await heading(page, 'Conferences');
      await page.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('button', { name: /^Delete/ }).click();
      await page.waitForURL(/\/policies$/);
      await page.getByRole('article').filter({ hasText: 'Conferences' }).waitFor({ state: 'detached' });
    }));

  it('a policy names the approver of an amount, with a link to their page', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      await openPolicy(page, 'Domestic travel');
      await page.getByLabel('Amount of the booking').fill('20,000');
      const answer = page.getByTestId('evaluation');
      await answer.getByText('These approve').waitFor();
      const approver = answer.getByRole('link').first();
      const name = ((await approver.textContent()) ?? '').trim();
      await approver.click();
      await heading(page, name);
    }));
});

describe('overview', () => {
  it('a manager lands on the overview, whose figures link to their lists', () =>
    open('/', 'manager@acme.example', async (page) => {
      await heading(page, 'Overview');
      await assertBecomes(() => page.getByRole('region', { name: 'Latest changes' }).count(), 0);
      const people = page.getByRole('region', { name: 'People by department' });
      const first = people.getByRole('listitem').first();
      const [name = '', count = ''] = await Promise.all([
        first.getByRole('link').textContent(),
        first.locator('span').last().textContent(),
      ]).then((found) => found.map((text) => text?.trim() ?? ''));
      await first.getByRole('link').click();
      await page
        .getByTestId('count')
        .getByText(new RegExp(` of ${count}$`))
        .waitFor();
      await page.locator('main .mantine-Pill-root').getByText(name).waitFor();
    }));

  it("the overview shows latest changes, failing webhooks and policies' gaps in at most 14 requests", () =>
    open('/geography', undefined, async (page) => {
      // The page before has all its answers: none of its requests is counted.
      await page.getByRole('link', { name: /^India/ }).waitFor();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url().replace(address, '')));
      await page.goto(`${address}/overview#token=${tokenOf(ADMIN)}`);
      await page.getByRole('region', { name: 'Latest changes' }).locator('time').first().waitFor();
      await page
        .getByRole('region', { name: 'Webhooks that fail' })
        .getByText(/^(None|All webhooks deliver)\.$/)
        .waitFor();
      const policies = page.getByRole('region', { name: 'Policies to look at' });
      await policies
        .getByText(/^Nobody can approve above ₹[\d,]+\./)
        .first()
        .waitFor();
      const spending = page.getByRole('region', { name: 'Spent and budget by department' });
      await spending
        .getByRole('listitem')
        .first()
        .getByText(/^₹[\d,]+(\.\d\d)? of ₹[\d,]+$/)
        .waitFor();
      await spending.getByText(/^Total: ₹/).waitFor();
      const api = requested.filter((path) => path.startsWith('/api/'));
      assert.deepEqual([...new Set(api)], api, 'one request for each answer');
      assert.ok(api.length <= 14, api.join());
      await policies.getByRole('listitem').first().getByRole('link').first().click();
      await page.getByRole('region', { name: 'Who approves?' }).waitFor();
    }));
});
