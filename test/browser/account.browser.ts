import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { heading, openConsole } from './console.ts';

const { open } = await openConsole();

it('the name in the header opens a menu by key: the profile, the keys, the language and the way out', () =>
  open('/geography', 'employee@acme.example', async (page) => {
    const account = page.getByRole('button', { name: /^Account: / });
    await account.press('Enter');
    await page.getByRole('button', { name: 'Keys of the console' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keys of the console' }).waitFor({ state: 'hidden' });
    await assertBecomes(() => account.evaluate((button) => button === document.activeElement), true);
    await account.click();
    await page.getByRole('button', { name: 'Keys of the console' }).click();
    await page.getByRole('dialog', { name: 'Keys of the console' }).waitFor();
    await page.keyboard.press('Escape');
    await account.click();
    await page.locator('header').getByRole('link', { name: 'Profile' }).click();
    await heading(page, 'Profile');
  }));

it('a reader who chooses French has the console in French, also after a reload', () =>
  open('/profile', 'employee@acme.example', async (page) => {
    await heading(page, 'Profile');
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByLabel('Language').selectOption('français');
    await page.locator('html[lang=fr]').waitFor();
    await page.reload();
    await page.locator('html[lang=fr]').waitFor();
    await heading(page, 'Profil');
  }));
