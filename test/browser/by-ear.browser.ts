import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, open, service } = await openConsole();
const { company, token: OWN } = bringCompany(service, 85, (field) => `${field} 85`);
const other = { email: 'other@own-85.example', firstName: 'Other', lastName: 'Person' };
await apiOf(address).ask('/api/users/create', OWN, { companyId: company, ...other });

/** Records what the page announces from now on, and returns the texts so far. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest('[aria-live]:not([aria-live=off]), [role=status], [role=alert]');
        const text = region?.textContent?.trim();
        if (text && announced.at(-1) !== text) announced.push(text);
      }
      // A region that comes with its text.
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue;
        for (const region of [node, ...node.querySelectorAll('*')].filter((one) => one.matches('[role=alert]')))
          announced.push(region.textContent?.trim() ?? '');
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
}

/** Waits until a text has been announced. */
const assertAnnounced = (heard: () => Promise<string[]>, text: RegExp) =>
  assertBecomes(async () => (await heard()).some((one) => text.test(one)), true, `announced: ${text}`);

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

describe('by roles and names alone', () => {
  it('a person signs in and hears the name of the page that opens', () =>
    open('/', undefined, async (page) => {
      await page.getByRole('button', { name: /employee@acme\.example/ }).press('Enter');
      const main = page.getByRole('main', { name: 'Profile' });
      await main.waitFor();
      await assertBecomes(() => main.evaluate((element) => element === document.activeElement), true);
      assert.match(await page.title(), /^Profile/);
    }));

  it('a person changes their phone number and hears what is wrong with it, then that it is saved', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      const phone = page.getByRole('textbox', { name: 'Phone' });
      await phone.waitFor();
      const heard = await listen(page);
      await phone.fill('12');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await assertAnnounced(heard, /^Check the highlighted fields/);
      await page.getByRole('textbox', { name: 'Phone', description: /^Enter a phone number/ }).waitFor();
      await assertBecomes(() => phone.getAttribute('aria-invalid'), 'true');
      await assertBecomes(() => phone.evaluate((box) => box === document.activeElement), true);
      await phone.fill(`+91 98450 ${String(Date.now()).slice(-5)}`);
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await assertAnnounced(heard, /^Profile saved\./);
    }));

  it('an administrator finds a person, hears how many there are, and changes their department', () =>
    open('/people', OWN, async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search' });
      await search.waitFor();
      const heard = await listen(page);
      await search.fill('first 85');
      await assertAnnounced(heard, /^1–1 of 1/);
      await page
        .getByRole('rowheader', { name: /first 85 last 85/ })
        .getByRole('link')
        .press('Enter');
      await page.getByRole('heading', { level: 1, name: 'first 85 last 85' }).waitFor();
      await page.getByRole('button', { name: /^Edit/ }).press('Enter');
      const form = page.getByRole('dialog', { name: /^Edit/ });
      await form.getByRole('combobox', { name: 'Department' }).selectOption('department 85');
      await form.getByRole('textbox', { name: 'First name' }).fill('First 85');
      await form.getByRole('button', { name: 'Save' }).press('Enter');
      await assertAnnounced(heard, /saved\./);
      await assertBecomes(async () => (await focused(page))?.startsWith('Edit'), true);
    }));

  it('an administrator imports people and hears what is new and that the import is done', () =>
    open('/people/import', OWN, async (page) => {
      const box = page.getByRole('textbox', { name: /^Or paste/ });
      await box.waitFor();
      const heard = await listen(page);
      await box.fill('E-mail,First name,Last name\nby-ear@own-85.example,Ear,Heard\n');
      await assertAnnounced(heard, /1 new, 0 to update, 0 unchanged, 0 to fix\./);
      await page.getByRole('button', { name: 'Start the import' }).press('Enter');
      await assertAnnounced(heard, /1 new/);
    }));

  it('an administrator opens a page by Ctrl+K and hears how many hits there are', () =>
    open('/people', OWN, async (page) => {
      await page.getByRole('searchbox', { name: 'Search' }).press('Control+k');
      const box = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');
      await box.waitFor();
      const heard = await listen(page);
      await box.fill('bands');
      await assertAnnounced(heard, /^\d+ hits?$/);
      await page.getByRole('option', { name: 'Bands', selected: true }).waitFor();
      await box.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Bands' }).waitFor();
    }));
});
