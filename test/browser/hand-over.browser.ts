import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 73, (field) => `Line ${field}`);

/** Adds people to the company; returns their ids. */
async function add(people: readonly object[]): Promise<string[]> {
  const create = people.map((person, index) => ({
    ...{ firstName: 'Team', lastName: `T${String(index).padStart(3, '0')}`, ...person },
  }));
  const half = Math.ceil(create.length / 2);
  const parts = [create.slice(0, half), create.slice(half)].map((part) =>
    ask<{ ids: string[] }>('/api/users/save', token, { companyId: company, create: part }),
  );
  return (await Promise.all(parts)).flatMap(({ ids }) => ids);
}

const [lead = '', next = ''] = await add([
  { email: 'lead@own-71.example', firstName: 'Lena', lastName: 'Lead' },
  { email: 'next@own-71.example', firstName: 'Nils', lastName: 'Next' },
]);
const team = Array.from({ length: 103 }, (_, index) => ({
  ...{ email: `t${index}@own-71.example`, employment: { managerId: lead } },
}));
const [first = ''] = await add(team);
const days = { from: '2099-01-01', until: '2099-01-08' };
await ask('/api/users/set-substitute', token, { userId: first, substituteId: lead, ...days });
const [department] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
await ask('/api/departments/update', token, { id: department?.id, headId: lead });

const reportsOf = async (managerId: string) =>
  (await ask<object[]>(`/api/users/list?companyId=${company}&managerId=${managerId}&limit=100`, token)).length;

describe('a list that has more than it shows', () => {
  it("a person's page names the first hundred reports, and leads to all of them", () =>
    open(`/people/${lead}`, token, async (page) => {
      await heading(page, 'Lena Lead');
      const reports = page.getByRole('navigation', { name: 'Manages' });
      await reports.getByRole('link', { name: 'and 3 more' }).click();
      await page.getByTestId('count').getByText('1–25 of 103').waitFor();
      await assertBecomes(() => page.getByRole('combobox', { name: 'Manager' }).inputValue(), 'Lena Lead');
    }));

  it('the organisation chart says how many reports it leaves out, and a branch that fails can be tried again', () =>
    open(`/people/chart?companyId=${company}&userId=${lead}`, token, async (page) => {
      const tree = page.getByRole('tree');
      await tree.getByRole('link', { name: 'and 3 more' }).waitFor();
      const pass = await intercept(page, '**/api/users/list?*managerId*', (route) => route.abort());
      await tree
        .getByRole('treeitem', { name: /Team T001/ })
        .last()
        .focus();
      await page.keyboard.press('ArrowRight');
      await tree.getByRole('alert').waitFor();
      pass();
      await tree.getByRole('button', { name: 'Try again' }).click();
      await tree.getByRole('alert').waitFor({ state: 'detached' });
    }));
});

describe('a substitute', () => {
  it('a substitute without a person is not saved, and the field says what is missing', () =>
    open(`/people/${next}`, token, async (page) => {
      await page.getByRole('button', { name: 'Set a substitute' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('From').fill('2099-02-01');
      await form.getByLabel('Until').fill('2099-01-01');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Who decides meanwhile is required.').waitFor();
      await form.getByLabel('Who decides meanwhile').fill('Lena');
      await page.getByRole('option', { name: 'Lena Lead' }).click();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('The last day is before the first one.').waitFor();
    }));

  it('the page of a substitute names those for whom they stand in', () =>
    open(`/people/${lead}`, token, async (page) => {
      const away = page.getByRole('region', { name: 'Away' });
      await away.getByText('Stands in for:').waitFor();
      await away.getByRole('link', { name: 'Team T000' }).click();
      await heading(page, 'Team T000');
    }));
});

it('an administrator hands over what a leaver leaves in the dialog that deactivates them', () =>
  open(`/people/${lead}`, token, async (page) => {
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('103 people whom they manage').waitFor();
    await form.getByText('1 person whose substitute they are').waitFor();
    await form.getByLabel('Hand over to').fill('Nils');
    await page.getByRole('option', { name: 'Nils Next' }).click();
    await form.getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('Handed over.').waitFor();
    await form.getByText('What is left without them').waitFor({ state: 'detached' });
    assert.deepEqual([await reportsOf(lead), await reportsOf(next)], [0, 100]);
    const { substitutions } = await ask<{ substitutions: { substitute: { id: string }; from: string }[] }>(
      `/api/users/get?id=${first}`,
      token,
    );
    assert.deepEqual(
      substitutions.map(({ substitute, from }) => [substitute.id, from]),
      [[next, days.from]],
    );
    const { headId } = await ask<{ headId: string }>(`/api/departments/get?id=${department?.id}`, token);
    assert.equal(headId, next);
  }));

it('many people get another manager in one dialog, and the filter of managers finds them', () =>
  open(`/people?companyId=${company}&search=T10`, token, async (page: Page) => {
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: /^Edit 4 people/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Manager').fill('Lena');
    await page.getByRole('option', { name: 'Lena Lead' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('4 people changed.').waitFor();
    assert.equal(await reportsOf(lead), 4);
  }));
