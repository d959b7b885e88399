import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { deferred } from '../../src/lib/deferred.ts';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, openConsole, signOut } from './console.ts';

const { address, tokenOf, open } = await openConsole();
const { ask } = apiOf(address);
const STAFF = 'super.admin@orgdesk.example';
const ADMIN = 'admin@acme.example';

describe('whoever is signed in', () => {
  it('a signed-in person stays signed in after a reload and in other tabs, until signing out in any tab', () =>
    open('/', undefined, async (page) => {
      let configs = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/console/config')) configs++;
      });
      await page.getByRole('button', { name: 'manager@acme.example' }).click();
      await heading(page, 'Overview');
      assert.equal(configs, 0);
      await page.reload();
      await heading(page, 'Overview');
      assert.equal(configs, 1);
      const second = await page.context().newPage();
      await second.goto(`${address}/departments`);
      await second.getByRole('table').waitFor();
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      );
      assert.doesNotMatch(kept, /eyJ/);
      await signOut(page);
      await heading(second, 'Sign in to see departments');
      await second.reload();
      await heading(second, 'Sign in to see departments');
    }));

  it('a person with a pasted token is signed in in a new tab while another, even busy, tab is open', () =>
    open(
      '/geography',
      undefined,
      async (page) => {
        const data = { signIn: 'token' };
        await page
          .context()
          .route('**/console/config', (route) => route.fulfill({ json: { success: true, message: '', data } }));
        await page.goto(`${address}/profile`);
        await page.getByLabel('Access token').fill(tokenOf('employee@acme.example'));
        await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('employee@acme.example').waitFor();
        const second = await page.context().newPage();
        const busy = page.evaluate(() => {
          for (const end = Date.now() + 3_000; Date.now() < end; );
        });
        await second.goto(`${address}/profile`);
        await second.getByText('employee@acme.example').waitFor();
        await busy;
        await page.close();
        await second.reload();
        await second.getByLabel('Access token').waitFor();
      },
      { isPatient: true },
    ));

  it('a person with roles in several companies sees their names, and a chosen company stays chosen', async () => {
    const profileOf = (email: string) =>
      ask<{ id: string; company: { id: string } }>('/api/users/profile', tokenOf(email));
    const [{ company }, { id: userId }] = [await profileOf(ADMIN), await profileOf('admin@globex.example')];
    const role = (verb: string) =>
      ask(`/api/users/${verb}-role`, tokenOf(STAFF), { userId, companyId: company.id, role: 'MANAGER' });
    await role('grant');
    try {
      await open('/departments', 'admin@globex.example', async (page) => {
        await page.getByRole('table').waitFor();
        await page.getByLabel('Company', { exact: true }).selectOption('Acme');
        await page.getByText('What the departments of').getByText('Acme').waitFor();
        await page.getByRole('link', { name: 'Approval policies' }).click();
        await page.getByText('Who approves what at').getByText('Acme').waitFor();
        await assertBecomes(() => page.getByLabel('Company', { exact: true }).inputValue(), company.id);
        await page.getByRole('link', { name: 'People', exact: true }).click();
        await page.getByText('Everybody who works at').getByText('Acme').waitFor();
      });
    } finally {
      await role('revoke');
    }
  });
});

describe('a browser that keeps nothing, or something strange', () => {
  for (const [what, script] of [
    ['refuses access', 'Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error("refused"); }'],
    [
      'has cut off text',
      'sessionStorage.setItem("orgdesk.sign-in", "{\\"state\\":"); localStorage.setItem("orgdesk.way", "[")',
    ],
    [
      'has another value',
      'sessionStorage.setItem("orgdesk.sign-in", "[1]"); localStorage.setItem("orgdesk.way", "{\\"way\\":7}")',
    ],
    [
      'has a draft of nothing',
      'sessionStorage.setItem("orgdesk.sign-in", JSON.stringify({ path: "/", state: "a", nonce: "b", verifier: "c", draft: { userId: 1 } }))',
    ],
  ] as const) {
    it(`a browser whose storage ${what} still shows the console and signs in`, () =>
      open('/geography', undefined, async (page) => {
        await page.addInitScript(script);
        await page.goto(`${address}/?a`);
        await page.getByRole('button', { name: 'employee@acme.example' }).click();
        await heading(page, 'Profile');
      }));
  }
});

describe('what did not come', () => {
  it('a failed request is repeated when the browser is online again', () =>
    open('/companies', STAFF, async (page) => {
      await page.getByRole('row').nth(10).waitFor();
      await page.context().setOffline(true);
      await page.getByLabel('Search', { exact: true }).fill('acme');
      await page.getByText('It will be tried again automatically.').waitFor();
      await page.context().setOffline(false);
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    }));

  for (const [status, reported] of [
    [429, 'That was too much in a short time. Try again in 1 s.'],
    [503, 'Wait a moment.'],
  ] as const) {
    it(`a request refused with ${status} and Retry-After is repeated at that time`, () =>
      open('/companies', STAFF, async (page) => {
        await page.getByRole('row').nth(10).waitFor();
        const json = { success: false, message: 'Wait a moment.', code: 'X', requestId: 'x' };
        const headers = { 'retry-after': '1' };
        const refuse = (route: Route) => route.fulfill({ status, json, headers });
        const pass = await intercept(page, '**/api/companies/list?*', refuse);
        await page.getByLabel('Search', { exact: true }).fill('acme');
        await page.getByText(reported).waitFor();
        pass();
        await page.getByTestId('count').getByText('1–1 of 1').waitFor();
      }));
  }

  it('Try again loads a failed part of the console, and the person stays signed in', () =>
    open('/', undefined, async (page) => {
      await page.getByRole('button', { name: ADMIN }).waitFor();
      const pass = await intercept(page, '**/assets/page-*.js', (route) => route.abort());
      await page.reload();
      await page.getByRole('button', { name: ADMIN }).click();
      await page.getByText('A part of the console could not be loaded.').waitFor();
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Try again' }).click();
      await loaded;
      await page.getByText('A part of the console could not be loaded.').waitFor();
      pass();
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading(page, 'Overview');
    }));

  it('a save that fails while another page is open is reported on that page', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      const held = deferred();
      await page.route('**/api/users/update-profile', async (route) => {
        await held.promise;
        await route.fulfill({
          status: 500,
          json: { message: 'Something went wrong.', code: 'INTERNAL', requestId: 'x' },
        });
      });
      await page.getByLabel('Gender').fill('Lost?');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Geography' }).click();
      await heading(page, 'Geography');
      held.resolve();
      await page.getByRole('alert').getByText('Personal details: not saved. Something went wrong.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    }));
});

describe('what one reads', () => {
  it("a form's errors name fields by their labels, and dates in the reader's form", () =>
    open('/profile', 'manager@acme.example', async (page) => {
      await page.getByLabel('Date of birth').fill('1800-01-01');
      await page.getByLabel('First name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/^Enter a date from \d+ Jan 1900 to today\.$/).waitFor();
      await page.getByText(/^First name is required/).waitFor();
    }));

  it("an unknown address shows the console's page in a browser, and returns JSON to a program", async () => {
    await open('/peopel', ADMIN, async (page) => {
      await heading(page, 'Page not found');
      const answer = await page.reload();
      assert.equal(answer?.status(), 404);
      await page.getByRole('link', { name: 'Go to the first page' }).click();
      await heading(page, 'Overview');
    });
    const answer = await fetch(`${address}/api/peopel`, { headers: { accept: 'text/html' } });
    assert.equal(((await answer.json()) as { code: string }).code, 'NOT_FOUND');
  });

  it('the list of countries scrolls to the chosen country after a search', () =>
    open('/geography', undefined, async (page) => {
      await page.getByRole('link', { name: /^India/ }).waitFor();
      await page.getByLabel('Filter countries').fill('andorra');
      await page.getByLabel('Search all cities').fill('harare');
      await page.getByTestId('found').waitFor();
      await page
        .getByRole('link', { name: /^Harare/ })
        .first()
        .click();
      const chosen = page.locator('[data-list=Countries] [aria-current]');
      await chosen.getByText('Zimbabwe').waitFor();
      await page.waitForFunction(() => {
        const item = document.querySelector('[data-list=Countries] [aria-current]')?.getBoundingClientRect();
        const list = document.querySelector('[data-list=Countries] section')?.getBoundingClientRect();
        return item && list && item.top >= list.top && item.bottom <= list.bottom;
      });
    }));

  it('an amount tried on policies is announced in one sentence, and a right-to-left ladder overlaps no text', () =>
    open('/policies', ADMIN, async (page) => {
      await page.getByLabel('Try an amount').fill('75000');
      await page.getByText(/^₹75,000 is tried on \d+ policies\.$/).waitFor({ state: 'attached' });
      assert.ok((await page.getByRole('main').getByRole('status').count()) <= 2);
      const inset = await page.evaluate(() => {
        document.documentElement.dir = 'rtl';
        const rung = document.querySelector('article ol li') as HTMLElement;
        const { paddingRight } = getComputedStyle(rung);
        const dot = getComputedStyle(rung, '::before');
        return Number.parseFloat(paddingRight) - Number.parseFloat(dot.right) - Number.parseFloat(dot.width);
      });
      assert.ok(inset > 4, String(inset));
    }));
});
