import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';

const { open } = await openConsole();
const PHONE = { width: 390, isPhone: true };
const ADMIN = 'admin@acme.example';
const PAGES: readonly (readonly [path: string, who: string, ready: (page: Page) => Promise<unknown>])[] = [
  ['/overview', ADMIN, (page) => page.getByRole('region', { name: 'Spent by month' }).getByRole('list').waitFor()],
  ['/people', ADMIN, (page) => page.getByRole('table').waitFor()],
  ['/people/chart', ADMIN, (page) => page.getByRole('tree').waitFor()],
  ['/departments', ADMIN, (page) => page.getByRole('table').waitFor()],
  ['/policies?amount=60000', ADMIN, (page) => page.getByTestId('approval').first().waitFor()],
  ['/history', ADMIN, (page) => page.getByRole('table').waitFor()],
  ['/profile', 'employee@acme.example', (page) => page.getByLabel('Amount of the booking').waitFor()],
];

/** Controls of a page that are lower than a thumb needs; links within texts are not. */
const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(button, select, summary, input, td[data-first] a, [role=treeitem] a)')]
      .filter((control) => control.checkVisibility() && !control.closest('thead'))
      .map((control) => [control, (control.closest('label') ?? control).getBoundingClientRect().height] as const)
      .filter(([, height]) => height < 43.5)
      .map(([control, height]) => `${control.outerHTML.slice(0, 120)} ${height}`),
  );

for (const [path, who, ready] of PAGES) {
  it(`a phone has large controls and scrolls nothing sideways with letters twice as large: ${path}`, () =>
    open(
      path,
      who,
      async (page) => {
        await ready(page);
        assert.deepEqual(await small(page), []);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
        });
        const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.body.clientWidth);
        assert.ok((await sideways()) <= 0, `${await sideways()} px`);
        const ways = page.getByRole('banner').getByRole('button');
        await assertBecomes(
          () => ways.evaluateAll((all) => all.filter((way) => way.getBoundingClientRect().right > innerWidth).length),
          0,
        );
      },
      PHONE,
    ));
}

it('the page of webhooks shows each event with an example', () =>
  open('/webhooks', ADMIN, async (page) => {
    await page.getByRole('button', { name: 'Events and examples' }).click();
    await page.getByRole('dialog').getByText('Department', { exact: true }).click();
    await page.getByText('"type": "department.changed"').waitFor();
  }));
