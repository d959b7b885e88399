import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApprovalPolicyDetail } from '../../src/features/approval-policies/approval-policies-schemas.ts';
import { apiOf } from './api.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { heading, openConsole, openPolicy } from './console.ts';
import { bringCompany, orgdesk } from './own-company.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { company, token } = bringCompany(service, 52, (field) => `The ${field}`);

const [department] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
const limits = { code: 'B9', autoApprovalLimit: '1000', maxBookingLimit: '90000' };
const band = await ask<{ id: string }>('/api/bands/create', token, {
  companyId: company,
  name: 'Travellers',
  ...limits,
});

async function add(firstName: string, more: object = {}): Promise<string> {
  const email = `${firstName.toLowerCase()}@own-52.example`;
  const body = { companyId: company, email, firstName, lastName: 'Nair', phone: '+910000000052', ...more };
  return (await ask<{ id: string }>('/api/users/create', token, body)).id;
}
const head = await add('Hana', { approvalLimit: '60000' });
const lead = await add('Leela', { approvalLimit: '20000', employment: { managerId: head, jobTitle: 'Team lead' } });
const booker = await add('Bina', { bandId: band.id, employment: { managerId: lead } });
const stand = await add('Sunil');
const levels = [
  { level: 1, roleRequired: 'LINE_MANAGER', minAmount: '0' },
  { level: 2, roleRequired: 'DEPARTMENT_HEAD', minAmount: '10000' },
  { level: 3, roleRequired: 'SECOND_LINE_MANAGER', minAmount: '10000' },
];
await ask('/api/approval-policies/create', token, {
  ...{ companyId: company, name: 'Line travel', autoApprovalLimit: '2000', levels },
  scope: { departmentIds: [department?.id], priority: 10 },
});
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const answer = (page: Page) => page.getByTestId('evaluation');

describe('who decides', () => {
  it("a person's page shows the approvers for all policies, with reasons and a substitute", async () => {
    await ask('/api/users/set-substitute', token, {
      ...{ userId: lead, substituteId: stand, from: day(-2), until: day(2) },
    });
    await open(`/people/${booker}?companyId=${company}`, token, async (page) => {
      await page.getByLabel('Amount of the booking').fill('15k');
      await answer(page)
        .getByText(/Line travel.? applies to the department of this person\.$/)
        .waitFor();
      await answer(page).getByText('It is above the automatic limit of the band, ₹1,000.').waitFor();
      const line = answer(page).getByRole('group', { name: /^Line manager, above ₹2,000/ });
      await line.getByText(/^Sunil Nair up to ₹20,000, for .?Leela Nair.?, who is away$/).waitFor();
      const ofDepartment = answer(page).getByRole('group', { name: /^Head of department, from ₹10,000/ });
      await ofDepartment.getByText('Skipped: nobody has this role.').waitFor();
      await answer(page).getByRole('link', { name: 'Hana Nair' }).waitFor();
      await page.getByTestId('other-policies').getByText('The policy: cannot be approved').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.getByLabel('Amount of the booking').fill('90001');
      await answer(page).getByText('The maximum booking of the band is ₹90,000.').waitFor();
      await page.getByTestId('other-policies').getByText('The policy: above the maximum booking').waitFor();
    });
  });

  it('an employee checks their own request, sees names alone, and sets a substitute', async () => {
    const own = orgdesk(service, 'token', 'bina@own-52.example');
    await open(
      '/profile?amount=15000',
      own,
      async (page) => {
        await answer(page).getByText('Hana Nair').waitFor();
        await assertBecomes(() => answer(page).getByRole('link').count(), 0);
        await assertBecomes(() => answer(page).getByText('up to ₹20,000').count(), 0);
        await page.getByRole('button', { name: 'Set a substitute' }).click();
        const form = page.getByRole('dialog');
        await form.getByLabel('Who decides meanwhile').selectOption('Leela Nair');
        await form.getByLabel('From').fill('2031-12-21');
        await form.getByLabel(/^Until/).fill('2031-12-20');
        await form.getByRole('button', { name: 'Save' }).click();
        await form.getByRole('alert').waitFor();
        await form.getByLabel(/^Until/).fill('2032-01-03');
        await form.getByRole('button', { name: 'Save' }).click();
        await page.getByText(/^Away from 21 Dec 2031 until 0?3 Jan 2032: .Leela Nair. decides for you\.$/).waitFor();
        await page.getByRole('button', { name: 'Set a substitute' }).click();
        await form.getByLabel('Who decides meanwhile').selectOption('–');
        await form.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Nobody decides for you.').waitFor();
      },
      { width: 390 },
    );
  });

  it("a policy's ladder shows relative roles and gaps, and its form sets the scope", () =>
    open(`/policies?companyId=${company}`, token, async (page) => {
      await openPolicy(page, 'The policy');
      const ladder = page.getByRole('list', { name: 'Levels of The policy' });
      await ladder.getByText('nobody has this role').waitFor();
      await ladder.getByText('Nobody can approve above ₹1.').waitFor();
      await page.getByRole('button', { name: /^Edit/ }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Level 1: approver').selectOption('Line manager');
      await form.getByLabel('Bands').fill('The');
      await page.getByRole('option', { name: 'The band' }).click();
      await page.keyboard.press('Escape');
      await form.getByLabel('Only for bookings with').fill('Two words = x');
      await form.getByLabel('Level 1: up to').fill('5k');
      await form.getByRole('button', { name: 'Add a level' }).click();
      await form.getByLabel('Level 2: from').fill('1000');
      await form.getByLabel('Level 2: signatures').selectOption('2');
      await form.getByLabel('Level 2: at the same time as the one before it').check();
      await form.getByLabel('Percent above what was approved').fill('5');
      await form.getByLabel('People', { exact: true }).fill('Bina');
      await page.getByRole('option', { name: 'Bina Nair' }).click();
      await form.getByLabel('Priority').fill('7');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').getByText('Check the highlighted fields.').waitFor();
      await form.getByLabel('Only for bookings with').fill('international = true; category = rail, flight');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      const scope = page.getByRole('region', { name: 'Whom it applies to' });
      await scope.getByText('category = flight, rail; international = true').waitFor();
      await scope.getByText('The band', { exact: true }).waitFor();
      await ladder.getByText('of whoever books').waitFor();
      const found = await ask<{ id: string; name: string }[]>(
        `/api/approval-policies/list?companyId=${company}`,
        token,
      );
      const id = found.find(({ name }) => name === 'The policy')?.id;
      const saved = await ask<ApprovalPolicyDetail>(`/api/approval-policies/get?id=${id}`, token);
      assert.deepEqual([saved.reapproveAbove, saved.scope.userIds], [{ percent: 5, amount: null }, [booker]]);
      assert.deepEqual(
        saved.levels.map(({ level, maxAmount, minApprovers }) => [level, maxAmount, minApprovers]),
        [
          [1, '5000.00', undefined],
          [1, undefined, 2],
        ],
      );
    }));
});

describe('the organisation chart', () => {
  it('a keyboard user walks the organisation chart, and each branch is read when opened', () =>
    open(`/people/chart?companyId=${company}&userId=${booker}`, token, async (page) => {
      const tree = page.getByRole('tree', { name: 'Organisation chart' });
      const item = (name: string) => tree.getByRole('treeitem', { name, exact: false }).last();
      await item('Bina Nair').waitFor();
      const focused = () =>
        page.evaluate(() => document.activeElement?.querySelector('a')?.textContent ?? document.activeElement?.tagName);
      await tree.getByRole('treeitem').first().focus();
      const walk = async (key: string, expected: string) => {
        await page.keyboard.press(key);
        await assertBecomes(focused, expected, key);
      };
      await assertBecomes(focused, 'Hana Nair');
      await walk('ArrowRight', 'Leela Nair');
      await walk('ArrowDown', 'Bina Nair');
      await walk('ArrowLeft', 'Leela Nair');
      await walk('ArrowLeft', 'Leela Nair');
      await assertBecomes(() => tree.getByText('Bina Nair').count(), 0);
      await page.keyboard.press('ArrowRight');
      await tree.getByText('Bina Nair').waitFor();
      await walk('End', 'Bina Nair');
      await walk('Home', 'Hana Nair');
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.keyboard.press('Enter');
      await heading(page, 'Hana Nair');
    }));
});
