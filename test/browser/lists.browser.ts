import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertBecomes, intercept } from './browser.ts';
import { heading, openConsole, openPolicy } from './console.ts';

const { address, open } = await openConsole();

describe('lists', () => {
  it('a search for companies filters while typing, and the address has search, filter and page size', () =>
    open('/companies', 'super.admin@orgdesk.example', async (page) => {
      const rows = page.getByRole('table').getByRole('row');
      await rows.nth(10).waitFor();
      await page.getByLabel('Rows on a page').selectOption('25');
      await rows.nth(25).waitFor();
      await page.getByLabel('Search', { exact: true }).pressSequentially('ACME', { delay: 20 });
      await page.waitForURL(/search=ACME/);
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
      await page.getByText('₹75,00,000').waitFor();
      await page.getByLabel('Show').selectOption('Active companies only');
      await page.waitForURL(/activeOnly=true/);
      assert.equal(page.url(), `${address}/companies?limit=25&search=ACME&activeOnly=true`);
      await page.getByLabel('Search', { exact: true }).fill('nothing has this name');
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await rows.nth(25).waitFor();
      await assertBecomes(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
    }));

  it('a status that no mail has can be cleared', () =>
    open('/people/mails?status=FAILED', 'admin@acme.example', async (page) => {
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Clear search and filters' }).click();
      await page.getByText('There is nothing here yet').waitFor();
    }));

  it('a link to a list of companies shows the same page, and Back and Forward work', () =>
    open('/companies?search=a&limit=10&page=2&activeOnly=true', 'super.admin@orgdesk.example', async (page) => {
      await page
        .getByTestId('count')
        .getByText(/^11–\d+ of \d+$/)
        .waitFor();
      await assertBecomes(() => page.getByLabel('Search', { exact: true }).inputValue(), 'a');
      await assertBecomes(() => page.getByLabel('Show').inputValue(), 'activeOnly');
      await page.getByRole('button', { name: 'Previous page' }).click();
      await page
        .getByTestId('count')
        .getByText(/^1–10 of/)
        .waitFor();
      await page.goBack();
      await page.getByTestId('count').getByText(/^11–/).waitFor();
      await page.goForward();
      await page
        .getByTestId('count')
        .getByText(/^1–10 of/)
        .waitFor();
      await page.getByLabel('Rows on a page').selectOption('25');
      await page
        .getByTestId('count')
        .getByText(/^1–2\d of/)
        .waitFor();
    }));

  it('a page past the end of a list says so, and leads back', () =>
    open('/companies?page=900&limit=1000', 'super.admin@orgdesk.example', async (page) => {
      await page.getByText('The list ends before this page').waitFor();
      await page.getByRole('button', { name: 'Previous page' }).click();
      await page
        .getByTestId('count')
        .getByText(/^1–(\d+) of \1$/)
        .waitFor();
    }));

  it('a German reader sees and types numbers in German format', async () => {
    await open(
      '/companies?search=acme',
      'super.admin@orgdesk.example',
      (page) => page.getByText('7.500.000\u00a0₹').waitFor(),
      { locale: 'de-DE' },
    );
    await open(
      '/policies?amount=274.999,99',
      'admin@acme.example',
      async (page) => {
        const answer = page.getByRole('article').filter({ hasText: 'Domestic travel' }).first().getByTestId('approval');
        await answer.getByText(/^274\.999,99\u00a0₹: kann nicht genehmigt werden; .* als Firmen-Admin$/).waitFor();
        await page.getByLabel('Betrag ausprobieren').fill('74.99');
        await page.getByText('etwa 75.000 oder 1250,50').waitFor();
        await assertBecomes(() => answer.count(), 0);
        await page.getByLabel('Betrag ausprobieren').fill('274.999,99');
        await answer.waitFor();
        await openPolicy(page, 'Domestic travel');
        const evaluation = page.getByTestId('evaluation');
        await evaluation.getByText('An der letzten Stufe und darüber darf niemand so viel genehmigen.').waitFor();
        await assertBecomes(() => evaluation.getByText('above the limit').count(), 0);
      },
      { locale: 'de-DE' },
    );
  });

  it('the list of departments shows budgets, spending and people, and links to the bookings', () =>
    open('/departments', 'admin@acme.example', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'Legal' });
      await row.getByText('₹91,00,000').waitFor();
      await row.getByRole('cell', { name: '5', exact: true }).waitFor();
      const widths = await page
        .locator('tbody svg rect:last-child')
        .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
      assert.ok(new Set(widths).size > 1 && Math.max(...widths) <= 100, String(widths));
      await row.getByRole('link', { name: /^₹/ }).click();
      await heading(page, 'Bookings');
      await page.getByRole('cell', { name: 'Legal' }).first().waitFor();
    }));

  it('each policy shows the approvers of a typed amount', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      const policy = page.getByRole('article').filter({ hasText: 'Domestic travel' }).first();
      const tried = async (amount: string, approvers: string) => {
        await page.getByLabel('Try an amount').fill(amount);
        await policy.getByTestId('approval').getByText(approvers, { exact: true }).waitFor();
      };
      await tried('₹45,000', '₹45,000: Manager');
      await tried('14,999.99', '₹14,999.99: approved automatically');
      await tried('15k', '₹15,000: approved automatically');
      await tried('15000.01', '₹15,000.01: Manager');
      await tried('Rs 50,000/-', '₹50,000: Manager');
      // No manager has a limit above that: the next level is added.
      await tried('50,000.01', '₹50,000.01: Manager, then Corporate Admin');
      await tried('250000', '₹2,50,000: Manager, then Corporate Admin');
      await tried('250000.01', '₹2,50,000.01: cannot be approved; nobody has a limit this high as Corporate Admin');
      await policy.getByText('Nobody can approve above ₹2,50,000.').waitFor();
      await page.getByLabel('Try an amount').fill('1.234');
      await page.getByText('An amount is digits').waitFor();
      await tried('6 lakh', '₹6,00,000: cannot be approved; nobody has a limit this high as Corporate Admin');
      await policy.getByRole('link').click();
      await page.getByTestId('evaluation').getByText('nobody at the last step or above it has the authority').waitFor();
    }));

  it('a failed list can be loaded again', () =>
    open('/companies', 'platform.rm@orgdesk.example', async (page) => {
      await page.getByRole('table').waitFor();
      const pass = await intercept(page, '**/api/companies/list?*', (route) => route.abort());
      await page.getByLabel('Search', { exact: true }).fill('globex');
      await page.getByText('Can’t reach the service').waitFor();
      pass();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    }));
});
