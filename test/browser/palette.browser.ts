import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { heading, openConsole } from './console.ts';

const { open } = await openConsole();
const ADMIN = 'admin@acme.example';

/** Everyday words, each with what Enter opens, in the languages of the console. */
const WORDS: readonly (readonly [locale: string, words: Readonly<Record<string, string>>])[] = [
  [
    'en-IN',
    {
      ...{ sso: '/keys/connections', 'sign-in': '/keys/connections', connection: '/keys/connections' },
      ...{ login: '/keys/connections', scim: '/keys/directories', directory: '/keys/directories' },
      ...{ group: '/resources/groups', 'organisation chart': '/people/chart', tree: '/people/chart' },
      ...{ spending: '/overview', budget: '/overview', substitute: '/profile', holiday: '/profile' },
      ...{ permission: '/people', export: '/people', users: '/people', bookings: '/departments/bookings' },
      ...{ expenses: '/departments/bookings', audit: '/history', token: '/keys', csv: '/people/import' },
      ...{ invite: '/people/mails', transfer: '/people/moves', approver: '/policies' },
    },
  ],
  ['de-DE', { anmeldung: '/keys/connections', urlaub: '/profile', ausgaben: '/overview', protokoll: '/history' }],
  ['fr-FR', { connexion: '/keys/connections', congé: '/profile', dépenses: '/overview', journal: '/history' }],
];

describe('the search of Ctrl+K', () => {
  for (const [locale, words] of WORDS) {
    it(`an administrator finds pages by everyday words in ${locale}`, () =>
      open(
        '/bands',
        ADMIN,
        async (page) => {
          await page.getByRole('table').waitFor();
          const found: Record<string, string> = {};
          for (const word of Object.keys(words)) {
            await page.keyboard.press('Control+k');
            const box = page.getByRole('dialog').getByRole('combobox');
            await box.fill(word);
            const marked = page.getByRole('dialog').locator('[role=option][aria-selected=true]');
            found[word] = new URL((await marked.getAttribute('href')) ?? '', page.url()).pathname;
            await page.keyboard.press('Escape');
          }
          assert.deepEqual(found, words);
        },
        { locale },
      ));
  }

  it('Ctrl+K opens from a search box, and on keyboards with other letters', () =>
    open('/people', ADMIN, async (page) => {
      await page.getByRole('table').waitFor();
      await page.getByLabel('Search', { exact: true }).press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Go to' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.evaluate(() =>
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true }),
        ),
      );
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      // The slash of a German keyboard.
      await page.evaluate(() =>
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key: '/', code: 'Digit7', shiftKey: true, bubbles: true }),
        ),
      );
      await assertBecomes(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
    }));

  it('the number of hits is announced, and arrow keys choose which one Enter opens', () =>
    open('/bands', ADMIN, async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').fill('spending');
      await dialog
        .getByRole('status')
        .getByText(/^\d+ hits$/)
        .waitFor();
      await page.keyboard.press('ArrowDown');
      const marked = await dialog.getByRole('combobox').getAttribute('aria-activedescendant');
      assert.equal(await dialog.locator(`#${marked}`).getAttribute('href'), '/departments/bookings');
      await page.keyboard.press('Enter');
      await heading(page, 'Bookings');
    }));
});

describe('the keys of a list', () => {
  it('letters act only while a row has the focus, and not at all once they are switched off', () =>
    open('/people', ADMIN, async (page) => {
      await page.getByRole('table').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('x');
      await assertBecomes(() => page.getByTestId('selected').count(), 0);
      await page.getByRole('rowheader').getByRole('link').first().focus();
      await page.keyboard.press('x');
      await page.getByTestId('selected').waitFor();
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keys of the console' });
      assert.deepEqual(await accessibilityFaults(page), []);
      await keys.getByRole('switch', { name: 'Letters are keys in a list' }).press('Space');
      await page.keyboard.press('Escape');
      await page.getByRole('rowheader').getByRole('link').first().focus();
      await page.keyboard.press('x');
      await page.keyboard.press('e');
      await assertBecomes(() => page.getByTestId('selected').getByText('1 selected').count(), 1);
      await assertBecomes(() => page.getByRole('dialog').count(), 0);
    }));
});
