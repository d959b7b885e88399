import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { cutOff } from './visible.ts';

const { open } = await openConsole();
const ADMIN = 'admin@acme.example';
const PAGES = ['/overview', '/profile', '/people', '/departments', '/policies', '/history', '/keys', '/people/import'];
const WIDTHS = [360, 390, 768, 1024, 1280, 1440];
/** By how much texts are longer than in English. */
const LONGER = 0.4;
/** A word of a language that is read from the right. */
const WORD = 'كلمة ';

/** A catalogue in which each English text is followed by words from the right, until it is longer by {@link LONGER}. */
const pseudo = Object.fromEntries(
  Object.keys(JSON.parse(readFileSync('web/src/catalogues/fr.json', 'utf8'))).map((key) => {
    const [message = ''] = key.split(' | ');
    return [key, `${message} ${WORD.repeat(Math.ceil((message.length * LONGER) / WORD.length))}`.trim()];
  }),
);

/** Makes French that catalogue, and a language that is read from the right. */
async function readFromTheRight(page: Page): Promise<void> {
  await page.route(/\/assets\/fr-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(pseudo)};` }),
  );
  await page.route(/\/assets\/first-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(["'`])ar\1,/, '$1fr$1,');
    await route.fulfill({ response, body });
  });
  await page.reload();
}

describe('a language that is read from the right, with texts 40 % longer', () => {
  for (const path of PAGES) {
    it(`the page ${path} read from the right fits screens of ${WIDTHS.join(', ')} pixels`, () =>
      open(
        path,
        ADMIN,
        async (page) => {
          await page.getByRole('heading', { level: 1 }).waitFor();
          await readFromTheRight(page);
          await page.getByRole('heading', { level: 1 }).getByText(WORD.trim()).first().waitFor();
          assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
          await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const beyond = () =>
              page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            await assertBecomes(beyond, 0, `${width}: wider than the screen`);
            await assertBecomes(() => cutOff(page), [], `${width}: cut off`);
          }
          const menu = await page.getByRole('navigation').first().boundingBox();
          assert.ok(menu && menu.x > 1440 / 2, 'the menu is at the right');
        },
        { locale: 'fr-FR' },
      ));
  }
});
