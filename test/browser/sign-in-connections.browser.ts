import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { AUDIENCE, startIdentityProvider } from '../support/identity-provider.ts';
import { apiOf } from './api.ts';
import { assertBecomes, lookAt, startBrowser, visit } from './browser.ts';
import { type DemoPerson, refuseToken, signOut } from './console.ts';
import { startService } from './service.ts';

const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const provider = await startIdentityProvider([`${address}/`]);
const service = await startService({ PORT: String(port), WEBHOOK_PRIVATE_TARGETS: 'true' });
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
provider.addAccount({ sub: 'at-acme', email: 'employee@acme.example', email_verified: true });
const { ask } = apiOf(address);
const { people } = await ask<{ people: DemoPerson[] }>('/console/config', undefined);
const tokenOf = (email: string) => people.find((person) => person.email === email)?.token ?? assert.fail(email);
const root = tokenOf('super.admin@orgdesk.example');
const { companyId } = await ask<{ companyId: string }>('/api/users/profile', tokenOf('admin@acme.example'));

/** Makes a connection of Acme for the time of a look. */
async function withConnection(fields: object, look: () => Promise<void>): Promise<void> {
  const body = { companyId, issuer: provider.issuer, domains: ['acme.example'], clientId: provider.client, ...fields };
  const { id } = await ask<{ id: string }>('/api/sign-in-connections/create', root, body);
  try {
    await look();
  } finally {
    await ask('/api/sign-in-connections/delete', root, { id });
  }
}

async function open(path: string, look: (page: Page) => Promise<unknown>): Promise<void> {
  const visited = await visit(browser, address, { allowed: [provider.issuer], isPatient: true });
  await visited.page.goto(`${address}${path}`);
  await lookAt(visited, look);
}

const addressBox = (page: Page) => page.getByLabel('Your work e-mail address');

async function signIn(page: Page, email = 'employee@acme.example'): Promise<void> {
  await addressBox(page).fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

for (const [what, fields, isId] of [
  ['access tokens', { audience: AUDIENCE }, false],
  ['ID tokens', { audience: provider.client, tokenUse: 'id' }, true],
] as const) {
  it(`a person signs in at their company's provider with ${what}, stays so in another tab, and signs out`, () =>
    withConnection(fields, () =>
      open('/profile', async (page) => {
        const sent: string[] = [];
        page.on('request', (request) => sent.push(request.headers().authorization ?? ''));
        await signIn(page);
        await page.getByLabel('Gender').waitFor();
        assert.equal(page.url(), `${address}/profile`);
        const [, payload = ''] = sent.find((header) => header.startsWith('Bearer'))?.split('.') ?? [];
        const { nonce } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { nonce?: string };
        assert.equal(nonce !== undefined, isId);
        await page.reload();
        await page.getByText('employee@acme.example').waitFor();
        const second = await page.context().newPage();
        await second.goto(`${address}/profile`);
        await second.getByText('employee@acme.example').waitFor();
        await signOut(page);
        await addressBox(page).waitFor();
        await second.getByRole('heading', { name: 'Sign in to see profile' }).waitFor();
        const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
        assert.doesNotMatch(kept, /eyJ|employee@/);
      }),
    ));
}

it("an expired token is renewed at the company's provider without a question, and typed text is kept", () =>
  withConnection({ audience: AUDIENCE }, () =>
    open('/profile', async (page) => {
      provider.givesRefreshTokens = true;
      await signIn(page);
      await page.getByLabel('Gender').waitFor();
      const forms: (string | null)[] = [];
      page.on('request', (request) => {
        if (request.url() === `${provider.issuer}/token`) forms.push(request.postData());
      });
      await page.getByLabel('Gender').fill('Renewed');
      await refuseToken(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
      assert.match(String(forms), /grant_type=refresh_token/);
      provider.givesRefreshTokens = false;
    }),
  ));

it('an expired session leads back to the same provider by one button, with the typed text', () =>
  withConnection({ audience: AUDIENCE }, () =>
    open('/profile', async (page) => {
      await signIn(page);
      await page.getByLabel('Gender').waitFor();
      await page.getByLabel('Gender').fill('Typed before');
      await refuseToken(page);
      await page.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('acme.example', { exact: true }).waitFor();
      page.on('dialog', (requested) => void requested.accept());
      await dialog.getByRole('button', { name: 'Sign in with your account' }).click();
      await page.getByText('1 unsaved change').waitFor();
      await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Typed before');
    }),
  ));

it('a sign-in with an address of an unknown domain or a malformed one is refused', () =>
  withConnection({ audience: AUDIENCE }, () =>
    open('/', async (page) => {
      await signIn(page, 'nobody');
      await page.getByText('Enter an e-mail address').waitFor();
      await signIn(page, 'somebody@unknown.example');
      await page.getByRole('alert').getByText('no sign-in for addresses of').waitFor();
    }),
  ));

it('a link with an address fills in the address', () =>
  withConnection({ audience: AUDIENCE }, () =>
    open('/#sign-in=employee%40acme.example', async (page) => {
      await addressBox(page).waitFor();
      assert.equal(page.url(), `${address}/`);
      await assertBecomes(() => addressBox(page).inputValue(), 'employee@acme.example');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Gender').waitFor();
    }),
  ));

const list = (token: string) =>
  ask<{ id: string; audience: string; domains: string[] }[]>(
    `/api/sign-in-connections/list?companyId=${companyId}`,
    token,
  );

it('a Super Admin adds and tests connections of a company, moves a domain, and deletes the connections', () =>
  open(`/keys?companyId=${companyId}#token=${root}`, async (page) => {
    await page.getByRole('link', { name: 'Sign-in connections' }).click();
    await page.getByText('There is none yet').waitFor();
    const dialog = page.getByRole('dialog');
    const add = async (audience: string) => {
      await page.getByRole('button', { name: 'Add a connection' }).click();
      await dialog.getByLabel('1. Which provider?').selectOption('Okta');
      await dialog.getByText(`${address}/`, { exact: true }).waitFor();
      await dialog.getByLabel('Issuer').fill(provider.issuer);
      await dialog.getByLabel('Audience').fill(audience);
      await dialog.getByLabel('Client ID').fill('console');
      await dialog.getByRole('button', { name: 'Add a connection' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await add('old');
    await page.getByText('is added, and still off').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The provider has all that a sign-in needs.').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('Connection switched on.').waitFor();
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await dialog.getByLabel('Domain of e-mail addresses').fill('Acme.example');
    await dialog.getByText('_orgdesk.acme.example').waitFor();
    await dialog.getByText(`orgdesk=${companyId}`).waitFor();
    await dialog.getByRole('button', { name: 'Check and add' }).click();
    await page.getByText('confirmed').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('no TXT record').waitFor();
    await add('new');
    await page.getByRole('button', { name: /^Move .*acme\.example.* here$/ }).click();
    await dialog.getByText('are linked anew').waitFor();
    await dialog.getByRole('button', { name: /^Move/ }).click();
    await page.getByText('moved.').waitFor();
    const domains = Object.fromEntries((await list(root)).map((each) => [each.audience, each.domains]));
    assert.deepEqual(domains, { old: [], new: ['acme.example'] });
    const started = { emailsVerified: true, subjectClaim: 'uid' };
    for (const each of await list(root)) assert.deepEqual({ ...each, ...started }, each);
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await dialog.getByLabel('Algorithm').selectOption('ES256');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test', exact: true }).first().click();
    await page.getByText('It publishes no key for the algorithm.').waitFor();
    for (const left of [1, 0]) {
      await page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await list(root)).length, left);
    }
  }));

it('a Corporate Admin sees the DNS record that a domain needs, and that the record is missing', () =>
  withConnection({ audience: AUDIENCE, domains: [] }, () =>
    open(`/keys/connections#token=${tokenOf('admin@acme.example')}`, async (page) => {
      await page.getByRole('button', { name: 'Add a domain' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Domain of e-mail addresses').fill('x');
      await dialog.getByRole('button', { name: 'Check and add' }).click();
      await dialog.getByText('Check the highlighted fields.').waitFor();
      await dialog.getByLabel('Domain of e-mail addresses').fill('unproven.example');
      await dialog.getByRole('button', { name: 'Check and add' }).click();
      await dialog.getByText('is not there yet').waitFor();
      assert.deepEqual((await list(root))[0]?.domains, []);
    }),
  ));
