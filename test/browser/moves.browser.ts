import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, open, service, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const [here, there] = [71, 72].map((number) => bringCompany(service, number, (field) => `${field} ${number}`)) as [
  ReturnType<typeof bringCompany>,
  ReturnType<typeof bringCompany>,
];

/** Adds people to a company, and returns their addresses. */
async function addPeople({ company, token }: typeof here, ...names: string[]): Promise<string[]> {
  const users = names.map((firstName) => ({ firstName, lastName: 'Mover', email: `${firstName}@mover.example` }));
  for (const user of users) await ask('/api/users/create', token, { companyId: company, ...user });
  return users.map(({ email }) => email);
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
/** Answers the question of a dialog by its own button. */
async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

it('an administrator asks for many people, withdraws one, and the other company agrees to two at once and declines one', async () => {
  const emails = await addPeople(there, 'ada', 'bob', 'cyd', 'dan');
  await open('/people', here.token, async (page) => {
    await page.getByRole('link', { name: 'Moves between companies' }).click();
    await press(page, 'Ask for people');
    const form = page.getByRole('dialog');
    await form.getByLabel('E-mail addresses').fill(`${emails.join('\n')}, nobody@mover.example`);
    await form.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('4 people asked for.').waitFor();
    await page.getByText(/nobody@mover.example.*: /).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'dan@mover.example' })
      .getByRole('button', { name: /^Withdraw/ })
      .click();
    await confirm(page, 'Withdraw');
    await assertBecomes(() => page.getByRole('row').count(), 4);
    await page.getByText('another company').first().waitFor();
  });
  await open('/overview', there.token, async (page) => {
    await page.getByText('Other companies ask for 3 people.').waitFor();
    await page.getByRole('link', { name: 'Agree or decline' }).click();
    for (const name of ['ada', 'bob']) await page.getByLabel(`Select ${name} Mover`).check({ force: true });
    await press(page, 'Agree: 2 people');
    await confirm(page, 'Agree: 2 people');
    await page
      .getByRole('row')
      .filter({ hasText: 'cyd Mover' })
      .getByRole('button', { name: /^Decline/ })
      .click();
    await confirm(page, 'Decline');
    await assertBecomes(() => page.getByRole('row').filter({ hasText: 'Mover' }).count(), 0);
    await page.getByLabel('Status').selectOption({ label: 'All' });
    await page.getByRole('row').filter({ hasText: 'cyd' }).getByText('Declined').waitFor();
  });
  const moved = await ask<{ email: string }[]>(`/api/users/list?companyId=${here.company}&search=mover`, here.token);
  assert.deepEqual(moved.map(({ email }) => email).sort(), ['ada@mover.example', 'bob@mover.example']);
});

it('an administrator who adds a person of another company is offered to ask for them', async () => {
  const [email = ''] = await addPeople(there, 'eve');
  await open('/people', here.token, async (page) => {
    await press(page, 'Add a person');
    const form = page.getByRole('dialog');
    await form.getByLabel('First name').fill('Eve');
    await form.getByLabel('Last name').fill('Mover');
    await form.getByLabel('E-mail').fill(email);
    await form.getByRole('button', { name: 'Add a person' }).click();
    await form.getByRole('button', { name: /^Ask for/ }).click();
    await page.getByText(/eve@mover.example.* is asked for/).waitFor();
  });
  const moves = await ask<{ askedFor: string }[]>(`/api/users/moves?companyId=${here.company}&status=OPEN`, here.token);
  assert.deepEqual(
    moves.map(({ askedFor }) => askedFor),
    [email],
  );
});

it('an administrator adds a directory, renews its key by one press, renames, joins and ends it', async () => {
  const { company, token } = here;
  const send = (key: string, method: string, path: string, body?: object) =>
    fetch(`${address}/scim/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const add = async (page: Page, name: string) => {
    await press(page, 'Add a directory');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Kind').selectOption({ label: 'Okta' });
    await form.getByRole('button', { name: 'Add a directory' }).click();
    await page.getByText('It has no key: nothing can call it.').waitFor();
  };
  const keyBy = async (page: Page, button: string) => {
    await press(page, button);
    const shown = page.getByRole('dialog');
    const key = ((await shown.locator('code').textContent()) ?? '').trim();
    await shown.getByRole('button', { name: 'Done' }).click();
    return key;
  };
  await open('/keys/directories', token, async (page) => {
    await add(page, 'First directory');
    const first = await keyBy(page, 'Create a key');
    const member = { userName: 'gus@mover.example', name: { givenName: 'Gus' } };
    const { id } = (await (await send(first, 'POST', 'Users', member)).json()) as { id: string };
    const group = { displayName: 'Leads', members: [{ value: id }] };
    assert.equal((await send(first, 'POST', 'Groups', group)).status, 201);
    const second = await keyBy(page, 'Renew the key');
    const keys = page.getByRole('table', { name: 'API keys' }).getByRole('row');
    await assertBecomes(() => keys.count(), 3);
    await keys
      .filter({ hasText: first.slice(0, 12) })
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await confirm(page, 'Revoke');
    await assertBecomes(() => keys.count(), 2);
    assert.equal((await send(first, 'GET', 'Groups')).status, 401);
    const { Resources } = (await (await send(second, 'GET', 'Groups?filter=displayName eq "Leads"')).json()) as {
      Resources: { members: object[] }[];
    };
    assert.equal(Resources[0]?.members.length, 1);
    await press(page, /^Edit/);
    await page.getByRole('dialog').getByLabel('Name').fill('Renamed directory');
    await confirm(page, 'Save');
    await page.getByRole('heading', { name: 'Renamed directory' }).waitFor();

    const toList = () => page.getByRole('link', { name: 'Directories and groups' }).click();
    await toList();
    await add(page, 'Second directory');
    await toList();
    await page.getByRole('link', { name: 'Renamed directory', exact: true }).click();
    await press(page, 'Join with another directory');
    await page.getByRole('dialog').getByLabel('Directory').selectOption({ label: 'Second directory' });
    await confirm(page, 'Join');
    await page.getByRole('heading', { name: 'Second directory' }).waitFor();
    await page.getByRole('table', { name: 'Groups' }).getByText('Leads').waitFor();
    await press(page, 'End the directory');
    const form = page.getByRole('dialog');
    const gives = form.getByRole('region', { name: /Second directory.* gives/ });
    assert.match((await gives.textContent()) ?? '', /People1.*Groups1/);
    await form.getByLabel('What it gave').selectOption({ label: 'stays, as given by hand' });
    await confirm(page, 'End the directory');
    await page.getByText('Connect a directory').waitFor();
    assert.equal((await send(second, 'GET', 'Groups')).status, 401);
  });
  assert.deepEqual(await ask(`/api/directories/list?companyId=${company}`, token), []);
});

it('an administrator sees on the overview that a domain is about to be lost, and at the connections who has addresses of another company', async () => {
  const { company, token } = here;
  const root = tokenOf('super.admin@orgdesk.example');
  const connection = { issuer: 'https://id.there.example', audience: 'there', domains: ['there.example'] };
  await addPeople(here, 'hal');
  await ask('/api/users/create', token, {
    ...{ companyId: company, firstName: 'Ida', lastName: 'There', email: 'ida@there.example' },
  });
  await ask('/api/sign-in-connections/create', root, { companyId: there.company, ...connection });
  await open('/keys/connections', token, async (page) => {
    const foreign = page.getByRole('region', { name: 'Addresses of another company' });
    await foreign.getByText('there.example').first().waitFor();
    await foreign.getByRole('link', { name: 'Ida There' }).waitFor();
  });
  await open('/profile', token, async (page) => {
    const missingRecords = [
      { domain: 'own.example', since: '2030-01-01T00:00:00.000Z', until: '2030-01-08T00:00:00.000Z' },
    ];
    await intercept(page, '**/api/sign-in-connections/list*', (route) =>
      route.fulfill({ json: { success: true, message: '', data: [{ missingRecords }], pagination: {} } }),
    );
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByText(/The TXT record of .*own\.example.* is gone/).waitFor();
  });
});
