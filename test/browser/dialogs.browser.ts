import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { service, open } = await openConsole();
const { token, company } = bringCompany(service, 2, (field) => `The ${field}`);

/** Adds somebody, and is on their page then. */
async function addPerson(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('First name').fill(name);
  await form.getByLabel('Last name').fill('Rao');
  await form.getByLabel('E-mail').fill(`${name.toLowerCase()}@own-2.example`);
  await form.getByRole('button', { name: 'Add a person' }).click();
  await heading(page, `${name} Rao`);
}

it('a question is the same until it goes, whatever its button asks next', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 'Asha');
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const texts = document.querySelectorAll('[role=dialog] h2, [role=dialog] button');
        for (const text of texts) seen.add(text.textContent ?? '');
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    assert.deepEqual(seen.filter(Boolean).sort(), ['Cancel', 'Deactivate']);
  }));
