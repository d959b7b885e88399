import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertBecomes } from './browser.ts';
import { answerQuestion, asksBeforeLeaving, openConsole, refuseToken, signOut } from './console.ts';
import { importPage } from './import-page.ts';

const { open } = await openConsole();
/** One import of a company runs at a time: no other file imports into this one. */
const ADMIN = 'admin@globex.example';
const HEAD = 'email,firstName,lastName';

describe('a table that is about to be imported', () => {
  it('a table to import is kept on other pages, and a question precedes its loss', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, correct, cell } = importPage(page);
      await choose(`${HEAD}\r\nkept@globex.example,,\r\n`);
      await checked(0, 0, 0, 1);
      await correct('First name', 2, 'Ana');
      await checked(1, 0, 0, 0);
      await page.getByRole('link', { name: 'Profile' }).click();
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
      await page.goBack();
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('First name', 2).inputValue(), 'Ana');
      assert.ok(await asksBeforeLeaving(page));
      await signOut(page);
      assert.match(await answerQuestion(page, 'No'), /not imported/);
      await choose(`${HEAD}\r\nother@globex.example,Ana,Other\r\n`);
      assert.match(await answerQuestion(page, 'No'), /corrections/);
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('First name', 2).inputValue(), 'Ana');
    }));

  for (const [what, path] of [
    ['is checked', '/api/users/import?*dryRun=true*'],
    ['is imported', '/api/users/import?*'],
  ] as const) {
    it(`a table to import is kept when the token expires while the table ${what}`, () =>
      open('/people/import', ADMIN, async (page) => {
        const { choose, checked, correct, cell, run } = importPage(page);
        const address = `${what.replace(' ', '-')}@globex.example`;
        await choose(`${HEAD}\r\n${address},,\r\n`);
        await checked(0, 0, 0, 1);
        if (what === 'is imported') {
          await correct('First name', 2, 'Ana');
          await checked(1, 0, 0, 0);
        }
        await refuseToken(page, { path });
        if (what === 'is imported') await run.click();
        else await correct('First name', 2, 'Ana');
        await page.getByRole('dialog').getByText('The access token has expired.').waitFor();
        await page.getByRole('button', { name: /^Sign in again as/ }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await checked(1, 0, 0, 0);
        await assertBecomes(() => cell('First name', 2).inputValue(), 'Ana');
        await run.click();
        await page.getByText('1 person added').waitFor();
      }));
  }
});
