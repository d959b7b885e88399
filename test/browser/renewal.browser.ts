import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { openAtProvider, signIn } from './at-provider.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, refuseToken, TOKEN_EXPIRED } from './console.ts';

const { address, provider, open } = await openAtProvider();

it('an expired token is renewed by a refresh token, and each refresh token is used once', () =>
  open('/profile', async (page) => {
    provider.givesRefreshTokens = true;
    const used: string[] = [];
    page.on('request', (request) => {
      const form = new URLSearchParams(request.postData() ?? '');
      if (form.get('grant_type') === 'refresh_token') used.push(form.get('refresh_token') ?? '');
    });
    await signIn(page);
    await heading(page, 'Profile');
    for (const typed of ['Renewed once', 'Renewed twice']) {
      await refuseToken(page);
      await page.getByLabel('Gender').fill(typed);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
    }
    provider.givesRefreshTokens = false;
    assert.deepEqual([used.length, new Set(used).size], [2, 2]);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const token of used) assert.ok(!stored.includes(token));
  }));

const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** Signs in with a refresh token; later sign-ins get none. */
async function signInToRenew(page: Page, who?: string, title = 'Profile'): Promise<void> {
  provider.givesRefreshTokens = true;
  await signIn(page, who);
  await heading(page, title);
  provider.givesRefreshTokens = false;
}

/** Opens the profile in another tab, which has the token of the first. */
async function openTab(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`${address}/profile`);
  await heading(other, 'Profile');
  return other;
}

async function saveGender(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Gender').fill(typed);
  await page.getByRole('button', { name: 'Save' }).click();
}

it('the tab with the refresh token renews the token for another tab', () =>
  open('/profile', async (page) => {
    await signInToRenew(page);
    const other = await openTab(page);
    await refuseToken(other);
    await saveGender(other, 'Renewed by another tab');
    await other.getByText('Profile saved.').waitFor();
    await other.close();
  }));

it('a token endpoint that fails once keeps the session, and the refresh token is used again', () =>
  open('/profile', async (page) => {
    provider.givesRefreshTokens = true;
    await signIn(page);
    await heading(page, 'Profile');
    const failure = { status: 503, headers: ANY_ORIGIN };
    await intercept(page, `${provider.issuer}/token`, (route) => route.fulfill(failure), 1);
    await refuseToken(page, { times: 2 });
    await saveGender(page, 'Renewed at last');
    await page.getByRole('alert').first().waitFor();
    await assertBecomes(() => page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved.').waitFor();
    provider.givesRefreshTokens = false;
  }));

it('a renewed token is kept if the service sends no time', () =>
  open('/profile', async (page) => {
    await signInToRenew(page);
    await intercept(page, `${provider.issuer}/token`, async (route) => {
      const response = await route.fetch();
      const { date: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await intercept(page, '**/livez', (route) => route.abort());
    await refuseToken(page);
    await saveGender(page, 'Renewed without the time');
    await page.getByText('Profile saved.').waitFor();
  }));

it('only a refused refresh token ends a session', () =>
  open('/profile', async (page) => {
    await signInToRenew(page);
    const token = `${provider.issuer}/token`;
    for (const [status, error] of [
      [429, 'slow_down'],
      [400, 'temporarily_unavailable'],
      [401, 'invalid_client'],
    ] as const) {
      const answer = { status, headers: ANY_ORIGIN, json: { error } };
      await intercept(page, token, (route) => route.fulfill(answer), 1);
      await refuseToken(page);
      await saveGender(page, `Typed before ${error}`);
      await page.getByRole('alert').getByText('does not answer').waitFor();
      await assertBecomes(() => page.getByRole('dialog').count(), 0);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
    }
    const refusal = { status: 400, headers: ANY_ORIGIN, json: { error: 'invalid_grant' } };
    await intercept(page, token, (route) => route.fulfill(refusal), 1);
    await refuseToken(page);
    await saveGender(page, 'Typed before the end');
    await page.getByRole('dialog').getByText('Your session has expired.').waitFor();
  }));

it('a provider that fails in the renewing tab ends the session in no other tab', () =>
  open('/profile', async (page) => {
    await signInToRenew(page);
    const other = await openTab(page);
    const failure = { status: 503, headers: ANY_ORIGIN };
    await intercept(page, `${provider.issuer}/token`, (route) => route.fulfill(failure), 1);
    await refuseToken(other, { times: 2 });
    await saveGender(other, 'Renewed by another tab at last');
    await other.getByRole('alert').getByText('does not answer').waitFor();
    await assertBecomes(() => other.getByRole('dialog').count(), 0);
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Profile saved.').waitFor();
    await other.close();
  }));

it('a provider that does not answer ends the session in no tab', () =>
  open('/profile', async (page) => {
    await signInToRenew(page);
    const other = await openTab(page);
    await page.evaluate(() => {
      AbortSignal.timeout = () => AbortSignal.abort(new DOMException('The time is over', 'TimeoutError'));
    });
    await page.route(`${provider.issuer}/token`, () => undefined);
    await refuseToken(other);
    await saveGender(other, 'Never saved');
    await other.getByRole('alert').getByText('does not answer').waitFor();
    await assertBecomes(() => other.getByRole('dialog').count(), 0);
    await other.close();
  }));

it('one tab renews once for all tabs whose token is refused at the same time', () =>
  open('/departments', async (page) => {
    await signInToRenew(page, 'an-admin', 'Departments');
    const others = [await openTab(page), await openTab(page)];
    let [refused, renewals] = [0, 0];
    await page.route(`${provider.issuer}/token`, async (route) => {
      renewals++;
      // Until then a second renewal would be begun, were there one for each tab.
      await waitUntil('both tabs to be refused', () => refused === others.length);
      await route.continue();
    });
    await Promise.all(
      others.map(async (other) => {
        const refuse = (route: Route) => {
          refused++;
          return route.fulfill(TOKEN_EXPIRED);
        };
        await intercept(other, '**/api/departments/list*', refuse, 1);
        await other.getByRole('link', { name: 'Departments' }).click();
        await other.getByRole('cell').first().waitFor();
      }),
    );
    assert.equal(renewals, 1);
    for (const other of others) await other.close();
  }));
