import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany, orgdesk } from './own-company.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company, user } = bringCompany(service, 81, (field) => `Done ${field}`);
const STAFF = 'super.admin@orgdesk.example';

const addPerson = async (name: string, more: object = {}) =>
  (
    await ask<{ id: string }>('/api/users/create', token, {
      ...{
        companyId: company,
        firstName: name,
        lastName: 'Done',
        email: `${name.toLowerCase()}@own-81.example`,
        ...more,
      },
    })
  ).id;

/** Pastes a text into a box as the keyboard does. */
const pasteInto = (box: ReturnType<Page['getByLabel']>, text: string) =>
  box.evaluate((input, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

describe('bookings', () => {
  it('bookings are searched and sorted on their page, and the sum of all of them is shown, also of those on other pages', async () => {
    const { key } = await ask<{ key: string }>('/api/api-keys/create', token, {
      ...{ companyId: company, name: 'Bookings', scopes: ['bookings.write'] },
    });
    const bookings = Array.from({ length: 30 }, (_, index) => ({
      ...{ id: `own-81-${index}`, companyId: company, userId: user, amount: `${index + 1}.01` },
      ...(index % 10 === 0 ? { reference: `PNR ${index}`, status: index === 10 ? 'CANCELLED' : 'BOOKED' } : {}),
    }));
    await ask('/api/bookings/record', key, { bookings });
    await open(`/departments/bookings?companyId=${company}`, token, async (page) => {
      await page.getByText('Total: ₹454.29 · cancelled: ₹11.01').waitFor();
      const first = () => page.getByRole('row').nth(1).innerText();
      await page.getByRole('button', { name: 'Amount' }).click();
      await assertBecomes(async () => (await first()).includes('₹1.01'), true);
      await page.getByRole('button', { name: 'Amount' }).click();
      await assertBecomes(async () => (await first()).includes('₹30.01'), true);
      await page.getByLabel('Search', { exact: true }).fill('pnr');
      await page.getByTestId('count').getByText('1–3 of 3').waitFor();
      await page.getByText('Total: ₹22.02 · cancelled: ₹11.01').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
    });
  });

  it('the page of a company says by how much and since when it is over its credit, and leads to its bookings', async () => {
    const said = /^Over its credit by ₹453\.29 since /;
    await open(`/companies/${company}`, STAFF, async (page) => {
      await page.getByRole('note').getByText(said).waitFor();
    });
    await open(`/companies/${company}`, token, async (page) => {
      await page.getByRole('note').getByText(said).waitFor();
      await page.getByRole('link', { name: 'Bookings: 30' }).click();
      await heading(page, 'Bookings');
    });
  });
});

it('an administrator hands over what policies ask of a leaver by name, and nothing else of the policies changes', async () => {
  const [leaver, next] = [await addPerson('Leaver'), await addPerson('Nextone')];
  const levels = [
    { level: 1, minAmount: '10.00', approver: { userIds: [leaver, user] }, minApprovers: 2 },
    { level: 2, minAmount: '20.00', roleRequired: 'MANAGER' },
  ];
  const made = await ask<{ id: string }>('/api/approval-policies/create', token, {
    ...{ companyId: company, name: 'By name', levels, scope: { priority: 7 } },
    defaultApprovers: { userIds: [leaver], groupId: null },
  });
  await open(`/people/${leaver}`, token, async (page) => {
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('link', { name: /By name.?: names them as an approver/ }).waitFor();
    await form.getByLabel('Hand over to').fill('Nextone');
    await page.getByRole('option', { name: 'Nextone Done' }).click();
    await form.getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('Handed over.').waitFor();
    await form.getByText('names them as an approver').waitFor({ state: 'detached' });
  });
  interface Policy {
    levels: {
      minAmount: string;
      roleRequired: string;
      minApprovers?: number;
      approver: { userIds: string[] } | null;
    }[];
    defaultApprovers: { userIds: string[] };
  }
  const policy = await ask<Policy>(`/api/approval-policies/get?id=${made.id}`, token);
  assert.deepEqual(
    policy.levels.map(({ minAmount, roleRequired, minApprovers = 1, approver }) => [
      ...[minAmount, roleRequired, minApprovers, approver?.userIds.toSorted() ?? null],
    ]),
    [
      ['10.00', 'USERS', 2, [next, user].toSorted()],
      ['20.00', 'MANAGER', 1, null],
    ],
  );
  assert.deepEqual(policy.defaultApprovers.userIds, [next]);
});

describe('import', () => {
  const own = bringCompany(service, 82, (field) => `Import ${field}`);
  const at = `/people/import?companyId=${own.company}`;

  it('pasted addresses find the people who are there, and new ones are typed and added', () =>
    open(at, own.token, async (page) => {
      const table = importPage(page);
      await table.paste(
        'Other Name <admin@own-82.example>, one@own-82.example; two@own-82.example\n"Newcomer, Three" <three@own-82.example>; Desk (Acme) <desk@own-82.example>',
      );
      await table.cell('First name', 2).fill('One');
      await table.cell('Last name', 2).fill('Newcomer');
      await table.correct('First name', 3, 'Two');
      assert.equal(await table.cell('First name', 4).inputValue(), 'Three');
      assert.equal(await table.cell('Last name', 4).inputValue(), 'Newcomer');
      await table.correct('First name', 5, 'Desk');
      await table.checked(4, 0, 0, 0);
      await table.run.click();
      await page.getByText('4 people added, 0 updated, 0 unchanged.').waitFor();
      const people = await ask<{ firstName: string }[]>(
        `/api/users/list?companyId=${own.company}&search=own-82.example&sort=name`,
        own.token,
      );
      assert.deepEqual(
        people.map(({ firstName }) => firstName),
        ['Desk', 'Import first', 'One', 'Three', 'Two'],
      );
    }));

  it('the import has headings, says why it cannot start, and a button goes from one problem to the next, also to lines that are not drawn', () =>
    open(at, own.token, async (page) => {
      const table = importPage(page);
      const lines = Array.from(
        { length: 120 },
        (_, index) => `${[3, 110].includes(index) ? 'nobody' : `p${index}@own-82.example`},P${index},Q`,
      );
      await table.paste(`Email,First name,Last name\n${lines.join('\n')}`);
      await table.checked(118, 0, 0, 2);
      await assertBecomes(
        () => page.getByRole('heading', { level: 2 }).allInnerTexts(),
        [...['File or text', 'How it is read', 'Check and import', 'Lines']],
      );
      await page.getByText('2 lines need fixing first.').waitFor();
      const reason = await table.run.getAttribute('aria-describedby');
      assert.match(await page.locator(`[id="${reason}"]`).innerText(), /^2 lines need fixing first\./);
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      const next = page.getByRole('button', { name: 'Next problem (2)' });
      for (const line of ['5', '112', '5']) {
        await next.click();
        await assertBecomes(focused, `E-mail, line ${line}`);
      }
      assert.deepEqual(await accessibilityFaults(page), []);
    }));

  it('a column that is pasted into a cell fills the cells from there down', () =>
    open(at, own.token, async (page) => {
      const table = importPage(page);
      const lines = [1, 2, 3].map((at) => `c${at}@own-82.example,C${at},D,`);
      await table.paste(`Email,First name,Last name,Job title\n${lines.join('\n')}`);
      await pasteInto(table.cell('Job title', 3), 'Pilot\r\nCook\r\nBeyond the end');
      await assertBecomes(
        () => Promise.all([2, 3, 4].map((line) => table.cell('Job title', line).inputValue())),
        ['', 'Pilot', 'Cook'],
      );
      await table.checked(3, 0, 0, 0);
    }));

  it('a file that makes somebody Corporate Admin is imported only after a confirmation', () =>
    open(at, own.token, async (page) => {
      const table = importPage(page);
      await table.paste('Email,First name,Last name,Roles\nboss@own-82.example,Bo,Ss,Corporate Admin');
      await table.checked(1, 0, 0, 0);
      assert.equal(await table.run.isDisabled(), true);
      await page.getByText('Confirm the new Corporate Admins first.').waitFor();
      await page.getByLabel(/^1 person becomes Corporate Admin/).check();
      await table.run.click();
      await page.getByText('1 person added, 0 updated, 0 unchanged.').waitFor();
    }));
});

it('a paste of more addresses than a search takes is cut after a whole one, and the box says so', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    const box = page.getByLabel('Search', { exact: true });
    await page.getByRole('table').waitFor();
    const known = 'admin@own-81.example';
    await pasteInto(box, [known, ...Array.from({ length: 40 }, (_, at) => `nobody-${at}@own-81.example`)].join('\n'));
    await page.getByText(/^This is too much for one search\. Searched are the first 1\d of 41 words/).waitFor();
    await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    assert.match(await box.inputValue(), /^admin@own-81\.example .*@own-81\.example$/);
    await box.fill(known);
    await page.getByText(/^This is too much/).waitFor({ state: 'detached' });
  }));

it('a Manager finds their own people from the overview', async () => {
  const managerId = await addPerson('Maria');
  await ask('/api/users/grant-role', token, { userId: managerId, role: 'MANAGER', companyId: company });
  await addPerson('Minion', { employment: { managerId } });
  await open(`/overview?companyId=${company}`, orgdesk(service, 'token', 'maria@own-81.example'), async (page) => {
    await page.getByRole('region', { name: 'My people' }).getByRole('link', { name: 'All my people' }).click();
    await heading(page, 'People');
    await page.getByRole('rowheader').getByRole('link', { name: 'Minion Done' }).waitFor();
    await page.getByTestId('count').getByText('1–1 of 1').waitFor();
  });
});

it('buttons that take something away are red and the last of their row', async () => {
  const person = await addPerson('Redone');
  const hook = await ask<{ id: string }>('/api/webhooks/create', token, {
    ...{ companyId: company, url: 'https://8.8.8.8/own-81' },
  });
  const pages = [
    [`/people/${person}`, 'Deactivate'],
    ['/policies/policy-81', 'Delete'],
    [`/webhooks/${hook.id}`, 'Delete'],
  ] as const;
  for (const [path, name] of pages) {
    await open(`${path}?companyId=${company}`, token, async (page) => {
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
      await button.waitFor();
      const found = await button.evaluate((one) => {
        const [red, green, blue] = (getComputedStyle(one).color.match(/\d+/g) ?? []).map(Number);
        const others = [...(one.parentElement?.querySelectorAll('button') ?? [])];
        return { isRed: (red ?? 0) > 2 * Math.max(green ?? 0, blue ?? 0), isLast: others.at(-1) === one };
      });
      assert.deepEqual({ path, ...found }, { path, isRed: true, isLast: true });
    });
  }
});
