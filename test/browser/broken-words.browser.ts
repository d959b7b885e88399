import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { brokenWords } from './broken-words.ts';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { service, open } = await openConsole();
const { token } = bringCompany(service, 5, (field) => `Own ${field}`);
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
      it(path, () =>
        open(
          path,
          who,
          async (page) => {
            await page.getByRole('heading', { level: 1 }).waitFor();
            await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
            for (const width of [1440, 834, 390]) {
              await page.setViewportSize({ width, height: 844 });
              assert.deepEqual(await brokenWords(page), [], `${width}`);
            }
          },
          { locale },
        ),
      );
    }
  });
}

describe('on a tablet', () => {
  for (const locale of ['en-IN', 'de-DE']) {
    for (const path of ['/people', '/departments', '/bands']) {
      it(`the table fits the page: ${path}, ${locale}`, () =>
        open(
          path,
          token,
          async (page) => {
            const table = page.getByRole('table');
            await table.waitFor();
            const beyond = await table.evaluate(({ scrollWidth, parentElement }) => [
              scrollWidth,
              parentElement?.clientWidth ?? 0,
            ]);
            assert.ok((beyond[0] ?? 0) <= (beyond[1] ?? 0), beyond.join(' > '));
          },
          { locale, width: 834 },
        ));
    }
  }
});

describe('on a phone', () => {
  it('twenty-five people stand on two screens', () =>
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

  it('what came of a save is in sight, be it refused or done', () =>
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
