import assert from 'node:assert/strict';
import { it } from 'node:test';
import { apiOf } from './api.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { downloadedCsv, heading, openConsole } from './console.ts';
import { bringCompany, orgdesk } from './own-company.ts';
import { assertVisibleAndAccessible } from './visible.ts';

const { address, service, open, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const { company, token, user } = bringCompany(service, 55, (field) => `The ${field}`);
const STAFF = 'super.admin@orgdesk.example';
const [top] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
const department = (name: string, more: object) =>
  ask<{ id: string }>('/api/departments/create', token, { companyId: company, costCode: name, name, ...more });
const field = await department('Field', { parentId: top?.id, budget: '1000' });
await department('North', { parentId: field.id, budget: '500' });
const [now, before] = [0, 1].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString());
const key = await ask<{ key: string }>('/api/api-keys/create', token, {
  ...{ companyId: company, name: 'Bookings', scopes: ['bookings.write'] },
});
const booking = (id: string, more: object) => ({ id: `own-55-${id}`, companyId: company, userId: user, ...more });
const bookings = [
  booking('1', { amount: '1200', departmentId: field.id, reference: 'PNR 1', createdAt: before }),
  booking('2', { amount: '5', createdAt: now }),
  booking('3', { amount: '77', createdAt: now, status: 'CANCELLED' }),
];

it("a company's form sets currency and budget period, and its amounts use that currency", () =>
  open(`/companies/${company}`, STAFF, async (page) => {
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Currency').fill('JPY');
    await form.getByLabel('Budgets are for').selectOption('a month');
    await form.getByLabel('The financial year begins in').selectOption('Apr');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('JPY').waitFor();
    await page.getByText('a month').waitFor();
    await page.getByText('¥1', { exact: true }).waitFor();
    // A company with bookings keeps its currency.
    await ask('/api/bookings/record', key.key, { bookings });
  }));

it('an employee sees amounts in the currency of the company', async () => {
  const email = 'asha@own-55.example';
  const person = { email, firstName: 'Asha', lastName: 'Iyer', phone: '+910000000056', approvalLimit: '1234' };
  await ask('/api/users/create', token, { companyId: company, ...person });
  await open('/profile', orgdesk(service, 'token', email), async (page) => {
    await page.getByText('¥1,234', { exact: true }).waitFor();
    await assertBecomes(() => page.getByText('₹').count(), 0);
  });
});

it('an exceeded budget is shown in words, and links to its bookings and their file', async () => {
  const budgets = await ask<{ currency: string }>(`/api/companies/get?id=${company}`, tokenOf(STAFF));
  assert.equal(budgets.currency, 'JPY');
  await open(`/overview?companyId=${company}`, token, async (page) => {
    const spending = page.getByRole('region', { name: 'Spent and budget by department' });
    await spending.getByText('¥200 over budget').waitFor();
    await spending.getByText('Total: ¥1,205 of ¥1,510').waitFor();
    const plot = page.getByRole('region', { name: 'Spent by month' });
    await assertBecomes(() => plot.getByRole('listitem').count(), 12);
    await plot
      .getByText(/^[A-Z][a-z]+ 20\d\d: ¥1,205 so far$/)
      .first()
      .waitFor({ state: 'attached' });
    assert.deepEqual(await accessibilityFaults(page), []);
    await spending.getByRole('link', { name: 'Field' }).click();
    await heading(page, 'Bookings');
    const row = page.getByRole('row').filter({ hasText: 'PNR 1' });
    await row.getByText('¥1,200').waitFor();
    await assertBecomes(() => page.getByRole('row').count(), 2);
    assert.match(await downloadedCsv(page), /Field,[^\n]*PNR 1,Booked,1200\.00/);
  });
  await open(`/departments?companyId=${company}`, token, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'Field' });
    await row.getByText('¥200 over budget').waitFor();
    await row.getByText('-¥200').waitFor();
    await page.getByText(/^Budgets and what is spent are for /).waitFor();
  });
});

it('a keyboard user opens and closes branches of the department tree', () =>
  open(`/departments/tree?companyId=${company}`, token, async (page) => {
    const tree = page.getByRole('tree', { name: 'Department tree' });
    await tree.getByText('¥200 over budget').waitFor();
    await tree.getByRole('treeitem').first().focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('a')?.textContent);
    await assertBecomes(focused, 'North');
    for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    await assertBecomes(focused, 'Field');
    await assertBecomes(() => tree.getByText('North').count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Enter');
    await heading(page, 'Departments');
  }));

it('the dialog for deactivating a person lists their duties with links', async () => {
  const body = { companyId: company, lastName: 'Iyer', phone: '+910000000055' };
  const lead = await ask<{ id: string }>('/api/users/create', token, {
    ...{ ...body, firstName: 'Leela', email: 'leela@own-55.example' },
  });
  const more = { employment: { managerId: lead.id } };
  await ask('/api/users/create', token, { ...body, firstName: 'Bina', email: 'bina@own-55.example', ...more });
  await ask('/api/departments/update', token, { id: field.id, headId: lead.id });
  await open(`/people/${lead.id}`, token, async (page) => {
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const left = page.getByRole('dialog').getByRole('note').filter({ hasText: 'What is left without them' });
    await left.getByRole('link', { name: /Field.?, whose head they are/ }).waitFor();
    await left.getByRole('link', { name: '1 person whom they manage' }).click();
    await heading(page, 'People');
    await page.getByRole('rowheader').getByRole('link', { name: 'Bina Iyer' }).waitFor();
  });
});

it('platform staff see the companies over their credit limit, and by how much', () =>
  open('/overview', STAFF, async (page) => {
    const card = page.getByRole('region', { name: 'Over their credit limit' });
    await card
      .getByRole('listitem')
      .getByText(/[\d,]+ of .[\d,]+/)
      .first()
      .waitFor();
    await card.getByRole('link', { name: 'Companies' }).click();
    await assertBecomes(() => page.getByLabel('Show').inputValue(), 'overCredit');
    await page.getByLabel('Search', { exact: true }).fill('The company');
    await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'The company' }) });
    await row
      .getByRole('cell')
      .nth(1)
      .getByText(/^.1,2\d\d$/)
      .waitFor();
    await row.getByRole('cell').nth(2).getByText(/^.1$/).waitFor();
    await assertVisibleAndAccessible(page, 'companies over their credit limit');
  }));

it("the overview shows a policy's gap once, with a link to the remedy", () =>
  open(`/overview?companyId=${company}`, token, async (page) => {
    const policies = page.getByRole('region', { name: 'Policies to look at' });
    await policies.getByText(/^Nobody who is active holds the role Manager\./).waitFor();
    await assertBecomes(() => policies.getByRole('listitem').count(), 1);
    await policies.getByRole('link', { name: 'Give somebody the role' }).click();
    await heading(page, 'People');
  }));

it('platform staff find a person of any company by name', () =>
  open('/companies', STAFF, async (page) => {
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('leela iyer');
    await page.getByRole('dialog').getByText('leela@own-55.example · The company').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Leela Iyer');
  }));

it("a department keeps a person's bookings after the person has moved", async () => {
  const own = bringCompany(service, 60, (field) => `Past ${field}`);
  await ask('/api/departments/create', own.token, {
    companyId: own.company,
    name: 'Later',
    costCode: 'later',
    budget: '9',
  });
  const writer = await ask<{ key: string }>('/api/api-keys/create', own.token, {
    ...{ companyId: own.company, name: 'Bookings', scopes: ['bookings.write'] },
  });
  const made = { id: 'own-60-1', companyId: own.company, userId: own.user, amount: '500', createdAt: now };
  await ask('/api/bookings/record', writer.key, { bookings: [made] });
  await open(`/people/${own.user}`, own.token, async (page) => {
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true });
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Department').selectOption('Later');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await menu.getByRole('link', { name: 'Departments', exact: true }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Past department').getByRole('link', { name: '₹500' }).click();
    await page.getByRole('cell', { name: 'Past department' }).waitFor();
    await menu.getByRole('link', { name: 'Departments', exact: true }).click();
    await row('Later').getByRole('cell', { name: '1', exact: true }).waitFor();
    await row('Later').getByText('₹0', { exact: true }).first().waitFor();
  });
});
