import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { downloadedCsv, heading, openConsole } from './console.ts';

const { address, open, tokenOf } = await openConsole();
const { ask, statusOf } = apiOf(address);
const ADMIN = 'admin@globex.example';
const STAFF = 'super.admin@orgdesk.example';

describe('keys', () => {
  it('an administrator creates an API key that is shown once, and revokes the key', () =>
    open('/keys', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Payroll');
      await form.getByRole('button', { name: 'Create API key' }).click();
      await form.getByText('Choose at least one permission').waitFor();
      await form.getByLabel('Read people').check({ force: true });
      await form.getByRole('button', { name: 'Create API key' }).click();
      await form.getByText('Copy this now.').waitFor();
      const key = ((await form.locator('code').textContent()) ?? '').trim();
      await form.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Payroll' });
      await row.waitFor();
      await assertBecomes(() => row.getByText(/Revoked|Expired/).count(), 0);
      assert.ok(!(await page.content()).includes(key));
      // The key itself is taken, for what it opens alone.
      assert.equal(await statusOf('/api/api-keys/list', key), 403);
      await row.getByRole('button', { name: /^Revoke/ }).click();
      await form.getByRole('button', { name: /^Revoke/ }).click();
      await row.getByText('Revoked').waitFor();
      assert.equal(await statusOf('/api/users/list', key), 401);
    }));

  it("an administrator chooses a key's expiry by keyboard or touch: a usual time, a date or never", async () => {
    const { companyId } = await ask<{ companyId: string }>('/api/users/profile', tokenOf(ADMIN));
    const DAY_MS = 86_400_000;
    const make = async (page: Page, name: string, choose: (expires: Locator, form: Locator) => Promise<unknown>) => {
      const form = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Create API key' }).click();
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Read people').check({ force: true });
      await choose(form.getByLabel('Expires'), form);
      await form.getByRole('button', { name: 'Create API key' }).click();
      await form.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('row').filter({ hasText: name }).waitFor();
      const list = `/api/api-keys/list?companyId=${companyId}&limit=100`;
      const keys = await ask<{ name: string; expiresAt: string | null }[]>(list, tokenOf(ADMIN));
      const { expiresAt } = keys.find((key) => key.name === name) ?? assert.fail(name);
      return expiresAt === null ? undefined : Math.ceil((Date.parse(expiresAt) - Date.now()) / DAY_MS);
    };
    await open('/keys', ADMIN, async (page) => {
      const down = async (expires: Locator, times: number) => {
        for (let time = 0; time < times; time++) await expires.press('ArrowDown');
      };
      for (const [index, days] of [undefined, 30, 90, 365].entries()) {
        assert.equal(await make(page, `Ends ${days}`, (expires) => down(expires, index)), days);
      }
      const inTwelveDays = async (expires: Locator, form: Locator) => {
        await assertBecomes(() => form.getByLabel('Date and time').count(), 0);
        await down(expires, 4);
        await form.getByRole('button', { name: 'Create API key' }).click();
        await form.getByText('Date and time is required.').waitFor();
        const time = new Date(Date.now() + 12 * DAY_MS);
        const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
        await form.getByLabel('Date and time').fill(local.toISOString().slice(0, 16));
      };
      assert.equal(await make(page, 'Ends 12', inTwelveDays), 12);
    });
    const byFinger = async (expires: Locator) => {
      await expires.tap();
      const option = expires.getByRole('option', { name: 'In 90 days' });
      await expires.selectOption((await option.getAttribute('value')) ?? '');
    };
    await open('/keys', ADMIN, async (page) => assert.equal(await make(page, 'Tapped', byFinger), 90), {
      width: 390,
      isPhone: true,
    });
  });

  it('a Super Admin sees the keys of all companies, and creates one of the platform', () =>
    open('/profile', STAFF, async (page) => {
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByText('The keys of all companies, and those of the platform').waitFor();
      await page.getByRole('row').filter({ hasText: 'Payroll' }).getByRole('link', { name: 'Globex' }).waitFor();
      await page.getByRole('button', { name: 'Create API key' }).click();
      const form = page.getByRole('dialog');
      await assertBecomes(() => form.getByLabel(/SCIM/).count(), 0);
      await form.getByLabel('Name').fill('Booking engine');
      await form.getByLabel('Read people').check({ force: true });
      await form.getByRole('button', { name: 'Create API key' }).click();
      const key = ((await form.locator('code').textContent()) ?? '').trim();
      await form.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Booking engine' });
      await row.getByRole('cell', { name: 'All companies' }).waitFor();
      await page.getByRole('row').filter({ hasText: 'Payroll' }).getByRole('link', { name: 'Globex' }).click();
      await heading(page, 'Globex');
      const id = new URL(page.url()).pathname.split('/').at(-1);
      assert.equal(await statusOf(`/api/users/list?companyId=${id}`, key), 200);
      await page.getByRole('main').getByRole('link', { name: 'API keys' }).click();
      await page.getByText('Programs use these keys to reach what belongs to').waitFor();
      await page.getByRole('row').filter({ hasText: 'Payroll' }).waitFor();
      await assertBecomes(() => row.count(), 0);
      await page.getByLabel('Company', { exact: true }).selectOption('All companies');
      await row.getByRole('button', { name: /^Revoke/ }).click();
      await form.getByRole('button', { name: /^Revoke/ }).click();
      await row.getByText('Revoked').waitFor();
    }));
});

describe('webhooks', () => {
  it('an administrator adds, tests, rotates, switches off and on, and deletes a webhook', () =>
    open('/webhooks', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('URL').fill('hooks.example.com');
      await form.getByRole('button', { name: 'Add a webhook' }).click();
      await form.getByText('Enter a URL, such as https://hooks.example.com/people.').waitFor();
      await form.getByLabel('URL').fill('https://8.8.8.8/orgdesk');
      await form.getByLabel('Sign-in connection', { exact: true }).press('Space');
      await form.getByRole('button', { name: 'Add a webhook' }).click();
      const first = ((await form.locator('code').textContent()) ?? '').trim();
      await form.getByRole('button', { name: 'Done' }).click();
      await heading(page, 'https://8.8.8.8/orgdesk');
      await page.getByRole('button', { name: 'Roll secret' }).click();
      await form.getByRole('button', { name: 'Roll secret' }).click();
      await form.locator('code').waitFor();
      assert.notEqual(((await form.locator('code').textContent()) ?? '').trim(), first);
      await form.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('Test sent.').waitFor();
      await page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await page.getByRole('button', { name: 'Details' }).first().click();
      await form.getByText('"type": "test"').waitFor();
      await page.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
      const [, line] = (await downloadedCsv(page)).split('\r\n');
      assert.match(line ?? '', /^\d{4}-[^,]+Z,test,1,/);
      await page.getByRole('button', { name: 'Switch off' }).click();
      await form.getByRole('button', { name: 'Switch off' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Switch on again' }).click();
      await form.getByRole('button', { name: 'Switch on again' }).click();
      await page.getByRole('button', { name: 'Switch off' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await form.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/webhooks$/);
      await page.getByText('There is nothing here yet').waitFor();
    }));

  it('a failing webhook shows its next attempt, and the change can be sent again', () =>
    open('/webhooks', ADMIN, async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('URL').fill('https://8.8.8.8/again');
      await form.getByRole('button', { name: 'Add a webhook' }).click();
      await form.getByRole('button', { name: 'Done' }).click();
      await heading(page, 'https://8.8.8.8/again');
      const next = '2999-01-01T10:00:00.000Z';
      await page.route('**/api/webhooks/get?*', async (route) => {
        const json = await (await route.fetch()).json();
        Object.assign(json.data, { failedAttempts: 3, nextAttemptAt: next });
        await route.fulfill({ json });
      });
      const delivery = {
        at: '2026-01-01T10:00:00.000Z',
        changeId: '7',
        type: 'user.changed',
        attempt: 3,
        status: 500,
        error: null,
        milliseconds: 20,
        skippedBy: null,
        nextAttemptAt: next,
        payload: '{"id":"7"}',
        response: 'no such table',
      };
      const pagination = { totalItems: 1, totalPages: 1, currentPage: 1, pageSize: 25, hasNextPage: false };
      await page.route('**/api/webhooks/deliveries?*', (route) =>
        route.fulfill({ json: { success: true, message: '', data: [delivery], pagination } }),
      );
      await page.reload();
      await page.getByText('Failing').waitFor();
      await page.getByRole('cell').getByText('Next attempt: 1 Jan 2999').waitFor();
      await page.getByRole('cell', { name: 'Person: changed' }).waitFor();
      Object.assign(delivery, { status: null, error: 'connect ECONNREFUSED 127.0.0.1:4398' });
      await page.getByText('Nothing answers at this address.').waitFor();
      await page.getByRole('button', { name: 'Details' }).click();
      await form.getByText('no such table').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Skip this change' }).waitFor();
      // They are read again by themselves.
      await page.waitForRequest('**/api/webhooks/deliveries?*');
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/api/webhooks/update')) sent.push(request.postDataJSON().active);
      });
      await page.getByRole('button', { name: 'Send again now' }).click();
      await page.getByText('Sending the change again.').waitFor();
      assert.deepEqual(sent, [true]);
      await page.getByRole('button', { name: 'Delete' }).click();
      await form.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/webhooks$/);
    }));

  it('a Super Admin adds a webhook for the changes of all companies', () =>
    open('/webhooks', STAFF, async (page) => {
      await page.getByText('The webhooks of all companies').waitFor();
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('URL').fill('https://8.8.4.4/mirror');
      await form.getByRole('button', { name: 'Add a webhook' }).click();
      await form.getByRole('button', { name: 'Done' }).click();
      await heading(page, 'https://8.8.4.4/mirror');
      await page.getByText('All companies').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).first().click();
      const row = page.getByRole('row').filter({ hasText: 'https://8.8.4.4/mirror' });
      await row.getByRole('cell', { name: 'All companies' }).waitFor();
      await row.getByRole('link').click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await form.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/webhooks$/);
      await row.waitFor({ state: 'detached' });
    }));
});

describe('the keyboard', () => {
  it('Ctrl+K opens any page or person, and / focuses the search', () =>
    open('/departments', 'admin@acme.example', async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('/');
      await assertBecomes(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
      await page.keyboard.press('Escape');
      await page.locator('h1').click();
      await page.keyboard.press('Control+k');
      await page.getByLabel('A page, a person, a department or a policy').fill('manager@acme');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/people\//);
      await page.keyboard.press('Control+k');
      await page.getByLabel('A page, a person, a department or a policy').fill('nobody has this name');
      await page.getByRole('dialog').getByText('Nothing found').waitFor();
      await page.getByLabel('A page, a person, a department or a policy').fill('polic');
      await page.keyboard.press('Enter');
      await heading(page, 'Approval policies');
    }));
});
