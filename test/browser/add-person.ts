import type { Page } from 'playwright-core';
import { heading } from './console.ts';

/** Adds somebody to the company that `bringCompany` gave this number, and is on their page then. */
export async function addPerson(page: Page, company: number, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('First name').fill(name);
  await form.getByLabel('Last name').fill('Rao');
  await form.getByLabel('E-mail').fill(`${name.toLowerCase()}@own-${company}.example`);
  await form.getByRole('button', { name: 'Add a person' }).click();
  await heading(page, `${name} Rao`);
}
