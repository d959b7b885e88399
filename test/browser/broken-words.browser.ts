import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { apiOf } from './api.ts';
import { brokenWords } from './broken-words.ts';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { service, address, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 5, (field) => `Own ${field}`);
const ADMIN = 'admin@acme.example';
const STAFF = 'super.admin@orgdesk.example';
const PAGES: readonly (readonly [path: string, who: string])[] = [
  ...[
    '/overview',
    '/profile',
    '/people',
    '/people/import',
    '/departments',
    '/bands',
    '/policies',
    '/history',
    '/keys',
    '/webhooks',
  ].map((path) => [path, ADMIN] as const),
  ['/companies', STAFF],
];

for (const locale of ['en-IN', 'de-DE']) {
  describe(`no word is broken in its middle: ${locale}`, () => {
    for (const [path, who] of PAGES) {
      it(`the page ${path} in ${locale} breaks no word`, () =>
        open(
          path,
          who,
          async (page) => {
            await page.getByRole('heading', { level: 1 }).waitFor();
            await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
            for (const width of [1440, 834, 390]) {
              await page.setViewportSize({ width, height: 844 });
              await assertBecomes(() => brokenWords(page), [], `${width}`);
            }
          },
          { locale },
        ));
    }
  });
}

describe('no column is cut off on a tablet or a small screen', async () => {
  const [department] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
  await ask('/api/departments/update', token, {
    id: department?.id,
    name: 'Production, Pune Plant',
    budget: '8400000',
  });
  for (const name of ['Aishwarya', 'Conceição', 'Tobias']) {
    const email = `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.lakshminarayan@logistics.own-5.example`;
    const person = {
      companyId: company,
      email,
      firstName: name,
      lastName: 'Lakshminarayan',
      approvalLimit: '15000000',
    };
    const { id } = await ask<{ id: string }>('/api/users/create', token, { ...person, phone: '+910000000005' });
    await ask('/api/users/grant-role', token, { userId: id, companyId: company, role: 'MANAGER' });
  }
  await ask('/api/api-keys/create', token, { companyId: company, name: 'Payroll', scopes: ['users.read'] });
  await ask('/api/webhooks/create', token, { companyId: company, url: 'https://8.8.8.8/own-5' });
  const lists = ['/people', '/departments', '/bands', '/history', '/keys', '/webhooks'].map((path) => [path, token]);
  for (const locale of ['en-IN', 'de-DE']) {
    for (const [path = '', who] of [...lists, ['/companies?search=own-5', STAFF]]) {
      it(`the page ${path} in ${locale} cuts off no column on a tablet or a small screen`, () =>
        open(
          path,
          who,
          async (page) => {
            const table = page.getByRole('table');
            await table.waitFor();
            const beyond = () =>
              table.evaluate(({ scrollWidth, parentElement }) =>
                Math.max(scrollWidth - (parentElement?.clientWidth ?? 0), 0),
              );
            for (const width of [834, 992, 1024, 1112, 1180, 1280, 1366]) {
              await page.setViewportSize({ width, height: 900 });
              await assertBecomes(beyond, 0, `${width}`);
            }
          },
          { locale },
        ));
    }
  }
});

describe('on a phone', () => {
  it('a phone shows twenty-five people on two screens', () =>
    open(
      '/people',
      ADMIN,
      async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.getByLabel('Select Aditi Mehta').waitFor();
        await assertBecomes(() => page.getByRole('row').count(), 26);
        const { height } = (await page.getByRole('table').boundingBox()) ?? assert.fail();
        assert.ok(height <= 2 * 844, `${height}`);
      },
      { width: 390 },
    ));

  it('a phone shows the outcome of a refused and of a successful save within the screen', () =>
    open(
      '/profile',
      token,
      async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        const isInSight = () =>
          page.getByTestId('outcome').evaluate((box) => {
            const { top, bottom } = box.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          });
        const before = await page.getByLabel('First name').inputValue();
        await page.getByLabel('First name').fill(`${before}a`);
        await intercept(page, '**/api/users/update-profile', (route) => route.abort(), 1);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByTestId('outcome').getByText('not saved').waitFor();
        await waitUntil('what was refused', isInSight);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Profile saved.').waitFor();
        await waitUntil('what was saved', isInSight);
        await page.getByLabel('First name').fill(before);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Profile saved.').waitFor();
      },
      { width: 390 },
    ));
});
