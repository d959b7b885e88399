import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 74, (field) => `Sure ${field}`);
const ADMIN = 'admin@acme.example';

describe('Corporate Admin', () => {
  it('a mapping to Corporate Admin needs a confirmation, and one of equal priority is named', () =>
    open(`/keys/directories?companyId=${company}`, token, async (page) => {
      const mapping = { companyId: company, groupName: 'Travel', role: 'MANAGER', priority: 7 };
      await ask('/api/group-mappings/create', token, mapping);
      await page.getByRole('button', { name: 'Map a group' }).click();
      const form = page.getByRole('dialog');
      await form.locator('[name=groupName]').fill('travel');
      await form.getByLabel('Priority').fill('7');
      await form.getByText(/^Another mapping of .travel. has the same priority/).waitFor();
      await form.getByLabel('Role', { exact: true }).selectOption('Corporate Admin');
      await form.getByRole('button', { name: 'Map a group' }).click();
      await form.getByText('Confirm what this does first.').waitFor();
      await form.getByLabel('They will manage the company').check();
      await form.getByRole('button', { name: 'Map a group' }).click();
      await form.waitFor({ state: 'detached' });
      await page
        .getByText(/^Another mapping of .Travel. has the same priority/i)
        .first()
        .waitFor();
    }));

  it('a new person becomes Corporate Admin only after a confirmation', () =>
    open(`/people?companyId=${company}`, token, async (page) => {
      await page.getByRole('button', { name: 'Add a person' }).click();
      const form = page.getByRole('dialog');
      await form.locator('[name=email]').fill('second@own-72.example');
      await form.getByLabel('First name').fill('Second');
      await form.getByLabel('Last name').fill('Admin');
      await form.getByLabel('Role', { exact: true }).selectOption('Corporate Admin');
      await form.getByRole('button', { name: 'Add a person' }).click();
      await form.getByText('Confirm what this does first.').waitFor();
      await form.getByLabel('They will manage the company').check();
      await form.getByRole('button', { name: 'Add a person' }).click();
      await heading(page, 'Second Admin');
    }));
});

it('nothing looks signed out while the sign-in of a page load is under way', () =>
  open('/people', ADMIN, async (page) => {
    await heading(page, 'People');
    await intercept(page, /\/api\/users\/profile/, () => new Promise(() => undefined));
    await page.reload();
    await page.locator('main h1').waitFor({ state: 'attached' });
    assert.equal(await page.locator('main h1').textContent(), 'Loading …');
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Geography' }).count(), 0);
  }));

it('Try again loads the page if only a style sheet has failed', () =>
  open('/profile', undefined, async (page) => {
    const pass = await intercept(page, /\/assets\/pages-[^/]+\.css$/, (route) => route.abort());
    await page.reload();
    await page.getByText('A part of the console could not be loaded.').waitFor();
    pass();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: /^Sign in to see/ }).waitFor();
  }));

it('three pasted addresses find three people, one a line or with their names', async () => {
  const emails = ['one', 'two', 'three'].map((name) => `${name}@own-72.example`);
  const create = emails.map((email) => ({ email, firstName: 'Pasted', lastName: email.slice(0, 3) }));
  await ask('/api/users/save', token, { companyId: company, create });
  await open(`/people?companyId=${company}`, token, async (page) => {
    const box = page.getByLabel('Search', { exact: true });
    const paste = (pasted: string) =>
      box.evaluate((input, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', text);
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, pasted);
    await paste(emails.join('\n'));
    await page.getByTestId('count').getByText('1–3 of 3').waitFor();
    await paste(
      emails
        .slice(0, 2)
        .map((email) => `"Pasted, One" <${email}>`)
        .join(', '),
    );
    await page.getByTestId('count').getByText('1–2 of 2').waitFor();
    assert.equal(await box.inputValue(), emails.slice(0, 2).join(' '));
  });
});

it('the bookings of a department name it in the title, and are filtered by days and status', async () => {
  const { key } = await ask<{ key: string }>('/api/api-keys/create', token, {
    ...{ companyId: company, name: 'Bookings', scopes: ['bookings.write'] },
  });
  const [person] = await ask<{ id: string; firstName: string }[]>(`/api/users/list?companyId=${company}`, token);
  const of = { companyId: company, userId: person?.id, amount: '5' };
  await ask('/api/bookings/record', key, {
    bookings: [
      { ...of, id: 'own-72-1', createdAt: '2026-01-10T10:00:00Z' },
      { ...of, id: 'own-72-2', createdAt: '2026-02-10T10:00:00Z' },
    ],
  });
  const [department] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
  await open(`/departments/bookings?companyId=${company}&departmentId=${department?.id}`, token, async (page) => {
    await heading(page, 'Sure department');
    await page.getByTestId('count').getByText('1–2 of 2').waitFor();
    // The list has the names: no request asks for one.
    await intercept(page, '**/api/users/get?*', () => new Promise(() => undefined));
    await page.goto('about:blank');
    await page.goto(
      `${address}/departments/bookings?companyId=${company}&departmentId=${department?.id}#token=${token}`,
    );
    await page
      .getByRole('link', { name: String(person?.firstName) })
      .first()
      .waitFor();
    await page.getByLabel('From').fill('2026-02-01');
    await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    await page.getByLabel('Status').selectOption('Cancelled');
    await page.getByText('Nothing matches').waitFor();
    await page
      .getByRole('navigation', { name: 'Pages above this one' })
      .getByRole('link', { name: 'Bookings' })
      .click();
    await heading(page, 'Bookings');
    await page.getByTestId('count').getByText('1–2 of 2').waitFor();
  });
});

it('a plot shows the figure of a month that is pressed or moved to by an arrow key', () =>
  open('/overview', ADMIN, async (page) => {
    const card = page.getByRole('region', { name: 'Spent by month' });
    await card.getByText(/^Budget a month: /).waitFor();
    const months = card.getByRole('listitem');
    await months.nth(3).click();
    const shown = async () => (await card.locator('figcaption').textContent())?.split('Budget')[0] ?? '';
    const pressed = await shown();
    assert.equal(
      pressed,
      await months
        .nth(3)
        .innerText()
        .then((text) => text.split('\n').at(-1)),
    );
    await page.keyboard.press('ArrowRight');
    await assertBecomes(async () => (await shown()) === pressed, false);
  }));

it('a printed list has the heads of sorted columns, and a page in forced colours shows that it loads', () =>
  open('/people', ADMIN, async (page) => {
    await page.getByRole('table').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('columnheader', { name: 'Name' }).getByText('Name').first().waitFor();
    await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
    await intercept(page, '**/api/**/list?*', () => new Promise(() => undefined));
    await page.getByLabel('Search', { exact: true }).fill('x');
    await page.getByRole('link', { name: 'Bands' }).click();
    const border = page.locator('.mantine-Skeleton-root').first();
    assert.equal(await border.evaluate((one) => getComputedStyle(one).borderTopStyle), 'solid');
  }));
