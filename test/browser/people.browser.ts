import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { downloadedCsv, heading, openConsole } from './console.ts';

const { address, tokenOf, open } = await openConsole();
const { ask } = apiOf(address);
const ADMIN = 'admin@acme.example';
const OTHER_ADMIN = 'admin@globex.example';
const STAFF = 'super.admin@orgdesk.example';

/** Adds a value to a filter that takes several. */
async function choose(page: Page, label: string, value: string): Promise<void> {
  const box = page.getByLabel(label).first();
  await box.click();
  await page.getByRole('option', { name: value, exact: true }).click();
  await box.press('Escape');
}

describe('people', () => {
  it('a list of people is filtered by role, status and department, and its file has everybody', () =>
    open('/people', ADMIN, async (page) => {
      const count = page.getByTestId('count');
      await count.waitFor();
      const all = Number(/of (\d+)$/.exec((await count.textContent()) ?? '')?.[1]);
      await choose(page, 'Role', 'Manager');
      await page.waitForURL(/role=MANAGER/);
      await page.getByRole('cell').getByText('Manager', { exact: true }).first().waitFor();
      await page.getByLabel('Show').selectOption('Active people');
      await page.waitForURL(/activeOnly=true/);
      await choose(page, 'Role', 'Corporate Admin');
      await page.waitForURL(/role=CORPORATE_ADMIN%2CMANAGER|role=MANAGER%2CCORPORATE_ADMIN/);
      await page.getByRole('cell').getByText('Corporate Admin', { exact: true }).first().waitFor();
      for (let value = 0; value < 2; value++) await page.getByLabel('Role').first().press('Backspace');
      await page.getByLabel('Show').selectOption('Everybody');
      await page.getByLabel('Department').first().press('ArrowDown');
      await page.getByLabel('Department').first().press('Enter');
      await page.waitForURL(/departmentId=/);
      await page.getByLabel('Department').first().press('Backspace');
      await count.getByText(`of ${all}`).waitFor();
      const lines = (await downloadedCsv(page)).split('\r\n');
      // The last line ends as well.
      assert.equal(lines.length, all + 2);
      assert.match(
        lines[0] ?? '',
        /^\uFEFFFirst name,Last name,E-mail,Department,Band,Roles,Approval limit,Status,ID$/,
      );
    }));

  it('an administrator adds, changes, gives a role to, deactivates and reactivates a person', () =>
    open('/people', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a person' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Last name').fill('Verma');
      await form.getByRole('button', { name: 'Add a person' }).click();
      await form.getByText('First name is required.').waitFor();
      await form.getByLabel('First name').fill('Nila');
      await form.getByLabel('E-mail').fill(ADMIN);
      await form.getByLabel('Approval limit').fill('1.5 lakh');
      await form.getByRole('button', { name: 'Add a person' }).click();
      await form.getByRole('alert').waitFor();
      await assertBecomes(() => form.getByRole('alert').innerText(), 'Check the highlighted fields.');
      await form.getByText('E-mail is already in use.').waitFor();
      await form.getByLabel('E-mail').fill('nila.verma@acme.example');
      await form.getByRole('button', { name: 'Add a person' }).click();
      await heading(page, 'Nila Verma');
      await page.getByText('₹1,50,000').first().waitFor();
      await page.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Phone').fill('12');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText(/^Enter a phone number with 7 to 15 digits/).waitFor();
      await form.getByLabel('Phone').fill('+91 98765 43210');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByText('+919876543210').waitFor();
      await page.getByRole('switch', { name: 'Manager' }).press('Space');
      await page.getByText('Manager role added.').waitFor();
      await page
        .getByText(/as Manager, from/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Deactivate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Reactivate' }).waitFor();
      await page.getByRole('button', { name: 'Reactivate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Deactivate' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'History' }).click();
      await heading(page, 'History');
      await page.getByText('Changes to').getByText('Nila Verma').waitFor();
      await page.getByText(/ reactivated Nila Verma$/).waitFor();
      await page.getByText(/ gave Nila Verma the role Manager at /).waitFor();
      await page
        .getByText(/ added Nila Verma$/)
        .first()
        .waitFor();
    }));

  it("a protected person's page explains why limit and role cannot be changed", async () => {
    await open('/people?role=CORPORATE_ADMIN&activeOnly=true', OTHER_ADMIN, async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByText('You are the only active Corporate Admin').waitFor();
      await page.getByRole('button', { name: /^Edit/ }).click();
      const form = page.getByRole('dialog');
      await assertBecomes(() => form.getByLabel('Approval limit').isDisabled(), true);
      await form.getByText('Your own limit and band can only be changed by another').first().waitFor();
      await form.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('switch', { name: 'Corporate Admin' }).click({ force: true });
      await form.getByRole('button', { name: 'Remove role' }).click();
      await page.getByRole('alert').waitFor();
      await form.getByRole('button', { name: 'Cancel' }).click();
      await assertBecomes(() => page.getByRole('switch', { name: 'Corporate Admin' }).isChecked(), true);
    });
  });

  it('a concurrent change of a person is reported, and typed text is kept', () =>
    open('/people?search=oscar.ibanez@acme', ADMIN, async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByRole('button', { name: /^Edit/ }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Gender').fill('Typed');
      const json = { success: false, message: 'It no longer holds.', code: 'VERSION_MISMATCH', requestId: 'x' };
      await intercept(page, '**/api/users/update', (route) => route.fulfill({ status: 412, json }), 1);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText(/ changed this while you were editing\./).waitFor();
      await assertBecomes(() => form.getByLabel('Gender').inputValue(), 'Typed');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByText('Typed').waitFor();
    }));

  it('a manager sees the people of their company, without controls for changes', () =>
    open('/people', 'manager@acme.example', async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByRole('heading', { level: 2, name: 'Work' }).waitFor();
      await assertBecomes(() => page.getByRole('button', { name: /^(Edit|Deactivate)/ }).count(), 0);
      await assertBecomes(() => page.getByRole('switch').count(), 0);
    }));

  it('the page of an unknown person shows Page not found', () =>
    open('/people/3fad956a-6f93-489b-8eb1-38af0acb7299', ADMIN, (page) => heading(page, 'Page not found')));
});

describe('companies', () => {
  it('a Super Admin adds a company with a first administrator, and changes, closes and reopens the company', () =>
    open('/companies', STAFF, async (page) => {
      await page.getByRole('button', { name: 'Add a company' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: 'Company', exact: true }).fill('Initech');
      await form.getByLabel('Legal name').fill('Initech Private Limited');
      await form.getByLabel('GSTIN').fill('INITECH-1');
      await form.getByLabel('E-mail of the company').fill('office@initech.example');
      await form.getByLabel('Credit limit').fill('2 crore');
      await form.getByRole('group', { name: 'First admin' }).getByLabel('E-mail').fill('first@initech.example');
      await form.getByRole('button', { name: 'Add a company' }).click();
      await page.locator('[name="firstAdmin.firstName"][aria-invalid=true]').waitFor();
      await form.getByLabel('First name').fill('Bill');
      await form.getByLabel('Last name').fill('Lumbergh');
      await form.getByRole('button', { name: 'Add a company' }).click();
      await heading(page, 'Initech');
      await page.getByText('₹2,00,00,000').waitFor();
      await page.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Credit days').fill('45');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByText('45', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Close the company' }).click();
      await form.getByText('Its API keys stop working and its webhooks pause.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close the company' }).click();
      await page.getByRole('button', { name: 'Reopen' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
      await page.getByRole('button', { name: 'Close the company' }).waitFor();
      await page
        .getByRole('main')
        .getByRole('link', { name: /^People: / })
        .click();
      await page.getByRole('link', { name: 'Bill Lumbergh' }).click();
      await heading(page, 'Bill Lumbergh');
      await page.getByLabel('Role on the platform').selectOption('Platform RM');
      await form.getByRole('button', { name: 'Add role' }).click();
      await page.getByText('Platform RM role added.').waitFor();
      await page.getByLabel('Role on the platform').selectOption('');
      await form.getByRole('button', { name: 'Remove role' }).click();
      await page.getByText('Platform RM role removed.').waitFor();
    }));

  it("a Super Admin sees a company's defaults by name, finds its people, and filters the history by company", () =>
    open('/companies?search=acme', STAFF, async (page) => {
      await page.getByRole('link', { name: 'Acme', exact: true }).click();
      await heading(page, 'Acme');
      const defaults = page.getByRole('region', { name: 'Contact and defaults' });
      for (const name of ['Default department', 'Default band']) {
        const fact = defaults.locator('dl > div').filter({ hasText: name });
        await fact
          .locator('dd')
          .filter({ hasText: /^[A-Z][a-z &,A-Z]+$/ })
          .waitFor();
      }
      await page.keyboard.press('Control+k');
      await page.getByLabel(/^A page, a company or a person of .*Acme/).fill('manager@acme');
      await page.getByRole('dialog').getByText('manager@acme.example').waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Tobias Drăgulescu');
      await page.goto(`${new URL(page.url()).origin}/history`);
      const box = page.getByRole('combobox', { name: 'Company' });
      await box.fill('globex');
      await page.getByRole('option', { name: 'Globex' }).click();
      await page.waitForURL(/companyId=/);
      await page.getByText('Changes to').getByText('Globex').waitFor();
    }));

  it("a company's administrator changes its contact and defaults alone", () =>
    open('/profile', OTHER_ADMIN, async (page) => {
      await page.getByRole('link', { name: 'Company', exact: true }).click();
      await page.getByRole('button', { name: /^Edit/ }).click();
      const form = page.getByRole('dialog');
      await assertBecomes(() => form.getByLabel('Legal name').count(), 0);
      await form.getByText('can only be changed by a Super Admin').waitFor();
      await form.getByLabel('Default department').selectOption({ index: 1 });
      await form.getByLabel('E-mail of the company').fill('new.office@globex.example');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByText('new.office@globex.example').waitFor();
    }));

  it('an administrator removes all roles of a guest in their company', async () => {
    const profileOf = (email: string) => ask<{ id: string; companyId: string }>('/api/users/profile', tokenOf(email));
    const [{ companyId }, { id: userId }] = [await profileOf(ADMIN), await profileOf(OTHER_ADMIN)];
    const staff = tokenOf(STAFF);
    for (const role of ['MANAGER', 'EMPLOYEE']) await ask('/api/users/grant-role', staff, { userId, companyId, role });
    await open(`/people/${userId}`, ADMIN, async (page) => {
      const roles = page.getByRole('region', { name: 'Roles in this company' });
      for (const left of [1, 0]) {
        await roles.getByRole('button', { name: 'Remove role' }).first().click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove role' }).click();
        await page.getByText('role removed.').first().waitFor();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        if (left > 0) await roles.getByText('Manager').waitFor();
      }
      await page.waitForURL(/\/people\?guests=true/);
    });
    await ask(`/api/users/get?id=${userId}`, staff);
  });
});
