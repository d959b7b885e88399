import assert from 'node:assert/strict';
import { it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { addPerson } from './add-person.ts';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const { token, company, user } = bringCompany(service, 35, (field) => `The ${field}`);

it('deactivating an approver lists the affected policies', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 35, 'Meera');
    await page.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Approval limit').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const control = page.getByRole('switch', { name: 'Manager' });
    await control.press('Space');
    await page.getByText('Manager role added.').waitFor();
    await waitUntil('the focus', () => control.evaluate((box) => box === document.activeElement));
    for (const begin of [
      () => control.press('Space'),
      () => page.getByRole('button', { name: 'Deactivate' }).click(),
    ]) {
      await begin();
      await dialog.getByText('fewer bookings can be approved').waitFor();
      await dialog.getByText(/The policy.?: nobody above ₹1, now above ₹90$/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await assertBecomes(() => control.isChecked(), true);
  }));

it("removing an administrator's role can revoke their keys, and granting the role needs a confirmation", async () => {
  await ask('/api/api-keys/create', token, { name: 'Travel desk', scopes: ['users.read'], companyId: company });
  await open(`/keys?companyId=${company}`, token, async (page) => {
    await page
      .getByRole('row')
      .filter({ hasText: 'Travel desk' })
      .getByRole('link', { name: 'The first The last' })
      .click();
    await heading(page, 'The first The last');
  });
  await open(`/people/${user}`, 'super.admin@orgdesk.example', async (page) => {
    const control = page.getByRole('switch', { name: 'Corporate Admin' });
    const dialog = page.getByRole('dialog');
    await control.press('Space');
    await dialog.getByLabel('Revoke the API key they created').check();
    await dialog.getByText('Travel desk').waitFor();
    await dialog.getByRole('button', { name: 'Remove role' }).click();
    await page.getByText('Corporate Admin role removed.').waitFor();
    await control.press('Space');
    await dialog.getByText('manages the company, its people, policies and keys').waitFor();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await page.getByText('Corporate Admin role added.').waitFor();
  });
  const [key] = await ask<{ revokedAt: string | null }[]>(`/api/api-keys/list?companyId=${company}`, token);
  assert.ok(key?.revokedAt);
});

it('the overview of a new company lists the remaining setup', () =>
  open(`/overview?companyId=${company}`, token, async (page) => {
    const left = page.getByRole('note').filter({ hasText: 'Left to set up' });
    await left.getByRole('link', { name: 'Add bands with their limits' }).waitFor();
    await assertBecomes(() => left.getByRole('link', { name: 'Add an approval policy' }).count(), 0);
    await left.getByRole('link', { name: 'Add departments with their budgets' }).click();
    await heading(page, 'Departments');
  }));

it("a company's default band is marked, and its deletion is disabled with the reason", () =>
  open(`/bands?companyId=${company}`, token, async (page) => {
    await page.getByRole('rowheader').getByText('Default', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Delete/ }).click();
    const form = page.getByRole('dialog');
    await form.getByText('it is the company’s default').waitFor();
    await assertBecomes(() => form.getByRole('button', { name: 'Delete' }).isDisabled(), true);
    await form.getByRole('link', { name: 'Choose another default' }).click();
    await heading(page, 'The company');
  }));

it('people of a deactivated company see why the menu is shorter', async () => {
  const staff = tokenOf('super.admin@orgdesk.example');
  const set = (active: boolean) => ask('/api/companies/update', staff, { id: company, active });
  await set(false);
  try {
    await open('/profile', token, async (page) => {
      await page.getByRole('note').getByText('Your company is deactivated.').waitFor();
      const menu = page.getByRole('navigation', { name: 'Pages' });
      for (const name of ['People', 'API keys', 'Webhooks']) {
        await assertBecomes(() => menu.getByRole('link', { name, exact: true }).count(), 0, name);
      }
    });
  } finally {
    await set(true);
  }
});

it('a refusal of the service is shown in German', () =>
  open(
    `/people/${user}`,
    token,
    async (page) => {
      await page.getByRole('switch', { name: 'Firmen-Admin' }).press('Space');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Rolle entziehen' }).click();
      await dialog.getByText('Das ist der letzte aktive Admin. Geben Sie die Rolle zuerst jemand anderem.').waitFor();
      await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    },
    { locale: 'de-DE' },
  ));

it("a filter without results can be cleared, and Escape closes a phone's menu", () =>
  open(
    `/people?companyId=${company}&role=MANAGER&inactiveOnly=true`,
    token,
    async (page) => {
      await page.getByText('Nothing matches').waitFor();
      await assertBecomes(() => page.getByText('Try another spelling').count(), 0);
      await page.getByRole('button', { name: 'Clear search and filters' }).click();
      await page.getByRole('link', { name: 'The first The last' }).waitFor();
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.click();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).waitFor();
      await page.keyboard.press('Escape');
      await assertBecomes(() => menu.getAttribute('aria-expanded'), 'false');
    },
    { width: 390 },
  ));
