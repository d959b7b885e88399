import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { answer, leave, openAtProvider, signIn } from './at-provider.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, refuseToken, signOut } from './console.ts';

const { address, provider, open } = await openAtProvider();

/** Signs in, types something, and saves it when the token has expired. */
async function saveTooLate(page: Page, typed: string): Promise<void> {
  await signIn(page);
  await heading(page, 'Profile');
  await page.getByLabel('Gender').fill(typed);
  await refuseToken(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByText('Your session has expired.').waitFor();
}

async function saveAtLast(page: Page, typed: string): Promise<void> {
  await page.getByText('1 unsaved change').waitFor();
  assert.equal(page.url(), `${address}/profile`);
  await assertBecomes(() => page.getByLabel('Gender').inputValue(), typed);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Profile saved.').waitFor();
}

it('a person signs in by code with PKCE, and the token stays in memory', () =>
  open('/profile#token=ignored', async (page) => {
    assert.equal(page.url(), `${address}/profile`);
    const requested: URL[] = [];
    const forms: URLSearchParams[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/auth') requested.push(url);
      if (url.pathname === '/token') forms.push(new URLSearchParams(request.postData() ?? ''));
    });
    await signIn(page);
    await heading(page, 'Profile');
    assert.equal(page.url(), `${address}/profile`);
    const parameters = Object.fromEntries(requested[0]?.searchParams ?? []);
    assert.equal(parameters.response_type, 'code');
    assert.equal(parameters.code_challenge_method, 'S256');
    for (const name of ['state', 'nonce', 'code_challenge'] as const)
      assert.match(parameters[name] ?? '', /^[\w-]{43}$/);
    assert.match(forms[0]?.get('code_verifier') ?? '', /^[\w-]{43}$/);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.doesNotMatch(kept, /eyJ/);
  }));

it('a link with a token signs nobody in at a provider', () =>
  open('/#token=eyJhbGciOiJub25lIn0.e30.', async (page) => {
    await page.getByText('This link does not sign in here').waitFor();
    assert.equal(page.url(), `${address}/`);
  }));

it('an expired token leads to the provider and back, with the typed text and without a question', () =>
  open('/profile', async (page) => {
    await saveTooLate(page, 'Typed before');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in with your account' }).click();
    await saveAtLast(page, 'Typed before');
  }));

it('a sign-in at the provider returns to the list with its filters', () =>
  open('/policies?search=domestic&amount=75000', async (page) => {
    await signIn(page, 'an-admin');
    await page.getByRole('article').getByText('₹75,000:').waitFor();
    assert.equal(page.url(), `${address}/policies?search=domestic&amount=75000`);
  }));

it('a cancelled sign-in is reported, and typed text is kept for the next attempt', () =>
  open('/profile', async (page) => {
    await saveTooLate(page, 'Typed before cancelling');
    await page.context().clearCookies();
    await leave(page);
    const reason = '<img src=x onerror=alert(1)>';
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText(reason).waitFor();
    assert.equal(page.url(), `${address}/`);
    await assertBecomes(() => page.locator('img').count(), 0);
    await signIn(page);
    await saveAtLast(page, 'Typed before cancelling');
  }));

/** Goes back; false while the browser is still about to show that there was no answer. */
async function wentBack(page: Page): Promise<boolean> {
  try {
    await page.goBack();
    return true;
  } catch (error) {
    if (String(error).includes('Not attached to an active page')) return false;
    throw error;
  }
}

it('a person who returns from an unavailable provider finds their typed text', () =>
  open('/profile', async (page) => {
    await saveTooLate(page, 'Typed before going back');
    provider.isDown = true;
    try {
      await leave(page);
      await waitUntil('the page of a browser without an answer', () => page.url().startsWith('chrome-error:'));
    } finally {
      provider.isDown = false;
    }
    await waitUntil('the way back', () => wentBack(page));
    await leave(page);
    await saveAtLast(page, 'Typed before going back');
  }));

it('typed text is not given to another person who signs in', () =>
  open('/profile', async (page) => {
    await saveTooLate(page, 'Of the employee');
    await page.context().clearCookies();
    await leave(page);
    await answer(page, 'an-admin');
    await heading(page, 'Profile');
    await page.getByText('admin@acme.example').waitFor();
    assert.notEqual(await page.getByLabel('Gender').inputValue(), 'Of the employee');
  }));

it('an answer of the provider that the page has not requested is refused', async () => {
  const before = provider.requestsOf('/token');
  await open('/?code=stolen&state=forged', async (page) => {
    await page.getByText('was not begun here').waitFor();
    assert.equal(page.url(), `${address}/`);
  });
  await open('/profile', async (page) => {
    await page.route(`${provider.issuer}/auth?*`, (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? '';
      const answered = new URLSearchParams({ code: 'stolen', state, iss: 'https://other.example' });
      return route.fulfill({ status: 302, headers: { location: `${address}/?${answered}` } });
    });
    await leave(page);
    await page.getByText('was not begun here').waitFor();
  });
  assert.equal(provider.requestsOf('/token'), before);
});

/** Changes the claims of the ID tokens that a page is given. */
const changeIdTokens = (page: Page, change: (claims: { iat: number }) => object) =>
  page.route(`${provider.issuer}/token`, async (route) => {
    const response = await route.fetch();
    const tokens = (await response.json()) as { id_token: string };
    const [head, payload = '', signature] = tokens.id_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number };
    const changed = Buffer.from(JSON.stringify({ ...claims, ...change(claims) })).toString('base64url');
    await route.fulfill({ response, json: { ...tokens, id_token: [head, changed, signature].join('.') } });
  });

it('a token of another sign-in is refused by its nonce', () =>
  open('/profile', async (page) => {
    await changeIdTokens(page, () => ({ nonce: 'of another sign-in' }));
    await signIn(page);
    await page.getByText('is not for this one').waitFor();
  }));

it('a provider that fails before it gives the token is reported, and the sign-in can be repeated', () =>
  open('/profile', async (page) => {
    await intercept(page, `${provider.issuer}/token`, (route) => route.abort(), 1);
    await signIn(page);
    await page.getByRole('alert').getByText('does not answer').waitFor();
    await leave(page);
    await heading(page, 'Profile');
  }));

it('a failure to load the sign-in method is reported, and can be retried', () =>
  open('/geography', async (page) => {
    const message = 'The identity provider has not said yet where people sign in: try again shortly.';
    const json = { success: false, message, code: 'UNAVAILABLE', requestId: 'x' };
    const pass = await intercept(page, '**/console/config', (route) => route.fulfill({ status: 503, json }));
    await page.goto(`${address}/`);
    await page.getByRole('alert').getByText(message).waitFor();
    pass();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign in with your account' }).waitFor();
  }));

it('the next sign-in after a sign-out prompts for the account', () =>
  open('/profile', async (page) => {
    await signIn(page);
    await heading(page, 'Profile');
    await signOut(page);
    await heading(page, 'Sign in');
    await leave(page);
    await page.getByLabel('Account').waitFor();
  }));

it('a person stays signed in after a reload and in a new tab, until signing out in any tab', () =>
  open('/profile', async (page) => {
    await signIn(page);
    await heading(page, 'Profile');
    await page.reload();
    await page.getByText('employee@acme.example').waitFor();
    const second = await page.context().newPage();
    await second.goto(`${address}/profile`);
    await second.getByText('employee@acme.example').waitFor();
    await signOut(page);
    await second.getByRole('heading', { name: 'Sign in to see profile' }).waitFor();
    await second.reload();
    await second.getByRole('button', { name: 'Sign in with your account' }).waitFor();
  }));

it('a person with an expired session at the provider signs in again, without an error', () =>
  open('/profile', async (page) => {
    await signIn(page);
    await heading(page, 'Profile');
    await page.context().clearCookies();
    await page.reload();
    await heading(page, 'Sign in to see profile');
    await assertBecomes(() => page.getByRole('alert').count(), 0);
    assert.equal(page.url(), `${address}/profile`);
  }));

it('a person whose clock is wrong by eleven minutes signs in', async () => {
  for (const minutes of [11, -11]) {
    await open('/profile', async (page) => {
      await changeIdTokens(page, ({ iat }) => ({ nbf: iat, exp: iat + 300 }));
      await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${minutes * 60_000}; }`);
      await page.reload();
      await signIn(page);
      await heading(page, 'Profile');
    });
  }
});
