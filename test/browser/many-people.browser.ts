import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';
import { assertVisibleAndAccessible } from './visible.ts';

const { address, service, open: openPage } = await openConsole();
const { answerTo, ask } = apiOf(address);
const { company, user, token } = bringCompany(service, 7, (field) => `Many ${field}`);
const COUNT = 40;

/** Opens a path as the admin: what can be undone for ten seconds can be for longer, as the machine may be busy. */
const open = (path: string, look: (page: Page) => Promise<unknown>) => openPage(path, token, look, { isPatient: true });

const band = await ask<{ id: string }>('/api/bands/create', token, {
  companyId: company,
  name: 'Senior',
  code: 'SENIOR',
});
await ask('/api/users/save', token, {
  companyId: company,
  create: Array.from({ length: COUNT }, (_, number) => ({
    email: `many-${number}@own-7.example`,
    firstName: 'Person',
    lastName: `N${String(number).padStart(2, '0')}`,
    approvalLimit: `${number * 100}.00`,
  })),
});

async function countIn(query: string): Promise<number | undefined> {
  const { pagination } = await answerTo(`/api/users/list?companyId=${company}&limit=1&${query}`, token);
  return pagination?.totalItems;
}
const inBand = () => countIn(`bandId=${band.id}`);

async function openDialog(page: Page, search: string) {
  await page.getByLabel('Search', { exact: true }).fill(search);
  await page.getByTestId('count').getByText(`of ${COUNT}`).waitFor();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: `Select all ${COUNT} of this list` }).click();
  await page.getByTestId('selected').getByText(`${COUNT} selected`).waitFor();
  await page.getByRole('button', { name: `Edit ${COUNT} people` }).click();
  return page.getByRole('dialog');
}

describe('many people at once', () => {
  it('forty people of a search get another band in one dialog, and their old band back by Undo', () =>
    open('/people', async (page) => {
      const dialog = await openDialog(page, 'person');
      await dialog.getByText('Choose what to change.').waitFor();
      await dialog.getByLabel('Band').selectOption('Senior');
      await dialog.getByText(`${COUNT} people will change.`).waitFor();
      await assertVisibleAndAccessible(page, 'the dialog');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${COUNT} people changed.`).waitFor();
      assert.equal(await inBand(), COUNT);
      await assertBecomes(() => page.getByTestId('selected').count(), 0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(`Undone: ${COUNT} people changed.`).waitFor();
      assert.equal(await inBand(), 0);
    }));

  it('a limit, a role and a status change together, and people with these values are not counted', () =>
    open('/people', async (page) => {
      const dialog = await openDialog(page, 'person');
      await dialog.getByLabel('Approval limit').fill('1,500');
      await dialog.getByText(`${COUNT - 1} people will change. 1 already have these values.`).waitFor();
      await dialog.getByLabel('Role').selectOption('Add Manager');
      await dialog.getByLabel('Status').selectOption('Inactive');
      await dialog.getByText(`${COUNT} people will be signed out`).waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${COUNT} people changed.`).waitFor();
      assert.equal(await countIn('role=MANAGER&inactiveOnly=true'), COUNT);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone:').waitFor();
      assert.equal(await countIn('role=MANAGER'), 0);
      assert.equal(await countIn('inactiveOnly=true'), 0);
    }));

  it('refused people are listed by name and stay selected, and the others are changed', () =>
    open('/people?sort=-name&limit=100', async (page) => {
      await page.getByLabel('Select Many first Many last').check();
      await page.getByLabel('Select Person N39').check();
      await page.getByLabel('Select Person N38').check();
      await page.getByRole('button', { name: 'Edit 3 people' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Band').selectOption('Senior');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByTestId('refused').getByText('Many first Many last').waitFor();
      await dialog.getByText('Your own limit and band can only be changed by another').waitFor();
      assert.equal(await inBand(), 2);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByTestId('selected').getByText('1 selected').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone: 2 people changed.').waitFor();
      assert.equal(await inBand(), 0);
      const { bandId } = await ask<{ bandId: string }>(`/api/users/get?id=${user}`, token);
      assert.notEqual(bandId, band.id);
    }));

  it('a change of many people refused with 429 is saved after Retry-After', () =>
    open('/people', async (page) => {
      const dialog = await openDialog(page, 'person');
      let refusals = 0;
      await page.route('**/api/users/save', (route) => {
        refusals++;
        const json = { success: false, message: 'Too many requests', code: 'TOO_MANY_REQUESTS', requestId: 'x' };
        return refusals > 2 ? route.continue() : route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json });
      });
      await dialog.getByLabel('Band').selectOption('Senior');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${COUNT} people changed.`).waitFor();
      assert.equal(refusals, 3);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone:').waitFor();
    }));

  it('a change of many people to Corporate Admins needs a confirmation', () =>
    open('/people?search=N07', async (page) => {
      await page.getByLabel('Select Person N07').check();
      await page.getByRole('button', { name: 'Edit 1 person' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Role').selectOption('Add Corporate Admin');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Confirm what this does first.').waitFor();
      assert.equal(await countIn('role=CORPORATE_ADMIN'), 1);
    }));

  it('the list of people sorts and filters by the address', () =>
    open('/people', async (page) => {
      await page.getByLabel('Sort by').selectOption('Highest limit first');
      await page.waitForURL(/sort=-approvalLimit/);
      const first = page.getByRole('row').nth(1);
      await first.getByText('₹3,900').waitFor();
      await page.getByLabel('Show').selectOption('Inactive people');
      await page.waitForURL(/inactiveOnly=true/);
      await page.getByText('Nothing matches').waitFor();
      await page.getByLabel('Show').selectOption('Guests from other companies');
      await page.waitForURL(
        (url) => url.searchParams.get('guests') === 'true' && !url.searchParams.has('inactiveOnly'),
      );
    }));
});
