import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { heading, openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, service } = await openConsole();
const { token: ADMIN } = bringCompany(service, 64, (field) => `Own ${field}`);

/** The cell of a person in a column of the list. */
const cell = (page: Page, name: string, text: string) =>
  page.getByRole('row').filter({ hasText: name }).getByRole('cell').getByText(text, { exact: true });

it('an administrator defines a field, fills it in for a person, finds them by it, and imports others with it', async () => {
  await open('/resources/fields', ADMIN, async (page) => {
    await page.getByRole('button', { name: /^Add: / }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Entity').selectOption('user');
    await form.getByLabel('Key').fill('shirtSize');
    await form.getByLabel(/^Label(?: \*)?$/).fill('Shirt size');
    await form.getByLabel('Kind').selectOption('CHOICE');
    await form.getByLabel('Choices').fill('["S", "M"]');
    await form.getByLabel('In list').selectOption('true');
    await form.getByRole('button', { name: /^Add: / }).click();
    await page.getByText('shirtSize').first().waitFor();
    await page.getByRole('button', { name: /^Edit: .?Shirt size/ }).click();
    await form.getByLabel('Position').fill('3');
    assert.equal(await form.getByLabel('Key').count(), 0);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Delete: .?Shirt size/ }).click();
    await form.getByText('An active field becomes inactive').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
  });
  await open('/people', ADMIN, async (page) => {
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await form.getByLabel('First name').fill('Mina');
    await form.getByLabel('Last name').fill('Rao');
    await form.getByLabel('E-mail').fill('mina.rao@own-64.example');
    await form.getByLabel('Shirt size').selectOption('M');
    await form.getByRole('button', { name: 'Add a person' }).click();
    await heading(page, 'Mina Rao');
    await page.getByRole('region', { name: 'Further details' }).getByText('M', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await form.getByLabel('Shirt size').selectOption('S');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Further details' }).getByText('S', { exact: true }).waitFor();
  });
  await open('/people/import', ADMIN, async (page) => {
    const { choose, checked, column, run } = importPage(page);
    await choose('Email,First Name,Last Name,Shirt size\nomar@own-64.example,Omar,Sen,M\n');
    await column('Shirt size').locator('option:checked', { hasText: 'Shirt size' }).waitFor({ state: 'attached' });
    await checked(1, 0, 0, 0);
    await run.click();
    await page.getByText('1 person added').waitFor();
  });
  await open('/people', ADMIN, async (page) => {
    await page.getByRole('columnheader', { name: 'Shirt size' }).waitFor();
    await cell(page, 'Mina Rao', 'S').waitFor();
    await page.getByLabel('Shirt size').selectOption('M');
    await page.waitForURL(/fields\.shirtSize=M/);
    await page.getByTestId('count').getByText('of 1').waitFor();
    await cell(page, 'Omar Sen', 'M').waitFor();
  });
});
