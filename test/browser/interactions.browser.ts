import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open } = await openConsole();
const { answerTo, ask } = apiOf(address);
const { company, token } = bringCompany(service, 63, (field) => `Work ${field}`);
const department = (name: string) =>
  ask<{ id: string }>('/api/departments/create', token, { companyId: company, name, costCode: name });
const treasury = await department('Treasury');
await department('Finance');
await ask('/api/users/save', token, {
  companyId: company,
  create: Array.from({ length: 45 }, (_, at) => ({
    email: `treasury-${at}@own-63.example`,
    firstName: 'Teller',
    lastName: `T${at}`,
    departmentId: treasury.id,
  })),
});
for (const [at, name] of ['Rail', 'Air', 'Hotels', 'Taxis', 'Fairs'].entries()) {
  const levels = [{ level: 1, roleRequired: 'CORPORATE_ADMIN', minAmount: '0' }];
  const scope = { priority: at + 1 };
  await ask('/api/approval-policies/create', token, {
    companyId: company,
    name,
    autoApprovalLimit: '5',
    scope,
    levels,
  });
}

/** Counts what somebody does: a press, a choice or a text that is typed. */
type Act = (work: () => Promise<unknown>) => Promise<void>;

interface Task {
  name: string;
  /** The interactions that it took in earlier versions of the console. */
  before: number;
  path: string;
  work: (page: Page, act: Act) => Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    name: 'Forty people come by a file with eleven lines to fix',
    before: 8,
    path: '/people/import',
    async work(page, act) {
      const { choose, checked, run } = importPage(page);
      const lines = Array.from({ length: 40 }, (_, at) => {
        const [unit, grade] = [at < 5 ? 'R&D' : 'Finance', at > 4 && at < 11 ? 'L9' : 'Work band'];
        return `joiner-${at}@own-63.example,Joiner J${at},${unit},${grade}`;
      });
      await act(() => choose(`Official Email,Name,Dept,Grade\r\n${lines.join('\r\n')}\r\n`));
      await act(() => page.getByRole('button', { name: 'Split into first and last name' }).click());
      await act(() => page.getByLabel('Department: R&D').selectOption('Work cost'));
      await act(() => page.getByLabel('Band: L9').selectOption('Work code'));
      await checked(40, 0, 0, 0);
      await act(() => run.click());
      await page.getByText('40 people added').waitFor();
    },
  },
  {
    name: 'Forty-five people move to another department',
    before: 6,
    path: '/departments',
    async work(page, act) {
      const row = page.getByRole('row').filter({ hasText: 'Treasury' });
      await act(() => row.getByRole('link', { name: '45' }).click());
      await act(() => page.getByLabel('Select all on this page').check());
      await act(() => page.getByRole('button', { name: 'Select all 45 of this list' }).click());
      await act(() => page.getByRole('button', { name: 'Edit 45 people' }).click());
      const form = page.getByRole('dialog');
      await act(() => form.getByLabel('Department').selectOption('Finance'));
      await act(() => form.getByRole('button', { name: 'Save' }).click());
      await page.getByText('45 people changed.').waitFor();
    },
  },
  {
    name: 'Who approves a booking of somebody, under each of six policies',
    // Four for each policy.
    before: 24,
    path: '/overview',
    async work(page, act) {
      await heading(page, 'Overview');
      await act(() => page.keyboard.press('Control+k'));
      const search = page.getByRole('dialog').getByRole('combobox');
      await act(() => search.fill('teller t44'));
      await act(() => page.keyboard.press('Enter'));
      await act(() => page.getByLabel('Amount of the booking').fill('60k'));
      await page.getByTestId('evaluation').waitFor();
      await assertBecomes(() => page.getByTestId('other-policies').getByText('…').count(), 0);
      for (const name of ['Rail', 'Air', 'Hotels', 'Taxis', 'Fairs', 'Work policy'])
        await page.getByRole('main').getByText(name).first().waitFor();
    },
  },
];

it("an administrator's tasks take at most two thirds of the earlier interactions, and none takes more", async () => {
  let [before, after] = [0, 0];
  for (const task of TASKS) {
    let taken = 0;
    const act: Act = async (work) => {
      taken++;
      await work();
    };
    await open(`${task.path}?companyId=${company}`, token, (page) => task.work(page, act));
    assert.ok(taken <= task.before, `${task.name}: ${taken}, before ${task.before}`);
    before += task.before;
    after += taken;
  }
  assert.ok(after * 3 <= before * 2, `${after} of ${before}`);
  const moved = await answerTo(`/api/users/list?companyId=${company}&departmentId=${treasury.id}&limit=1`, token);
  assert.equal(moved.pagination?.totalItems, 0);
});
