import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { openConsole } from './console.ts';
import { go } from './days.ts';
import { bringCompany } from './own-company.ts';
import { sayIn } from './say.ts';
import { assertVisible } from './visible.ts';

const { service, open } = await openConsole();

/** As long as the service takes them; a person's two names have 200 letters together. */
const LENGTHS: Readonly<Record<string, number>> = { first: 100, last: 100, code: 50, cost: 50, gender: 50 };
/** Without a place to break. */
const longest = (field: string) => 'W'.repeat(LENGTHS[field] ?? 200);
const { company, user, token } = bringCompany(service, 3, longest);
const STAFF = 'super.admin@orgdesk.example';

const table = (page: Page) => page.getByRole('table').waitFor();
const title = (page: Page) => page.getByRole('heading', { level: 1, name: 'WWW' }).waitFor();
const opened = (button: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').getByRole('button').last().waitFor();
};

/** Each list and page, and the dialogs that name a thing. */
const PLACES: readonly (readonly [
  path: string,
  who: string,
  there: (page: Page) => Promise<unknown>,
  open?: (page: Page) => Promise<unknown>,
])[] = [
  ['/profile', token, (page) => page.getByLabel('Phone').waitFor()],
  ['/people', token, table],
  [`/people/${user}`, token, title, opened(/^Edit/)],
  ['/people/import', token, (page) => page.getByLabel(/^Or paste/).waitFor()],
  ['/companies?search=own-3', STAFF, table],
  [`/companies/${company}`, STAFF, title, opened(/^Edit/)],
  [`/companies/${company}`, token, title],
  ['/departments', token, table, opened(/^Edit/)],
  ['/departments', token, table, opened(/^Delete/)],
  ['/bands', token, table, opened(/^Edit/)],
  ['/policies?amount=5', token, (page) => page.getByTestId('approval').waitFor(), opened(/^Add an approval policy/)],
  ['/policies/policy-3?amount=5', token, (page) => page.getByTestId('evaluation').waitFor(), opened(/^Edit/)],
  [`/history?userId=${user}`, token, table],
  ['/keys', token, table, opened(/^Revoke/)],
  ['/webhooks', token, table],
  ['/keys', STAFF, table],
  ['/webhooks', STAFF, table],
];

it('names of 200 letters leave every list and page within reach on 320 pixels', async () => {
  await open(
    '/keys',
    token,
    async (page) => {
      const form = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Create API key' }).click();
      await form.getByLabel('Name').fill('W'.repeat(100));
      await form.getByLabel('Read people').check({ force: true });
      await form.getByRole('button', { name: 'Create API key' }).click();
      await form.locator('code').waitFor();
      await assertVisible(page, 'a key that is shown');
      await form.getByRole('button', { name: 'Done' }).click();
      await go(page, sayIn('en-IN'), 'Webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await form.getByLabel('URL').fill(`https://8.8.8.8/${'w'.repeat(500)}`);
      await form.getByLabel('Description').fill('W'.repeat(500));
      await form.getByRole('button', { name: 'Add a webhook' }).click();
      await form.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { level: 1, name: 'wwww' }).waitFor();
      await assertVisible(page, 'a webhook');
    },
    { width: 320 },
  );
  for (const [path, who, there, openDialog] of PLACES) {
    await open(
      path,
      who,
      async (page) => {
        await there(page);
        await assertVisible(page, path);
        await openDialog?.(page);
        if (openDialog) await assertVisible(page, `${path}, dialog`);
      },
      { width: 320 },
    );
  }
});
