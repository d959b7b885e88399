import assert from 'node:assert/strict';
import { it } from 'node:test';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';

const { address, open, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const ADMIN = 'admin@globex.example';

it('an administrator sees the SCIM address, and adds, changes and deletes a group mapping', () =>
  open('/keys', ADMIN, async (page) => {
    await page.getByRole('link', { name: 'Directories and groups' }).click();
    await page.getByText(`${address}/scim/v2`).waitFor();
    await assertBecomes(
      () => page.getByRole('link', { name: /^Follow the guide/ }).getAttribute('href'),
      '/docs/provisioning#directories',
    );
    await page.getByRole('button', { name: 'Map a group' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Group').fill('Travel approvers');
    await form.getByLabel('Role', { exact: true }).selectOption({ label: 'Manager' });
    await form.getByLabel('Priority').fill('7');
    await form.getByRole('button', { name: 'Map a group' }).click();
    const row = page
      .getByRole('table', { name: 'What groups give' })
      .getByRole('row')
      .filter({ hasText: 'Travel approvers' });
    await row.getByText('Manager').waitFor();
    await row.getByRole('button', { name: /^Edit/ }).click();
    await form.getByLabel('Priority').fill('9');
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('9', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await form.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  }));

it('an administrator sees a directory, its groups without a mapping, and the values left out', async () => {
  const { companyId } = await ask<{ companyId: string }>('/api/users/profile', tokenOf(ADMIN));
  const made = { name: 'Entra ID', companyId, scopes: ['scim'] };
  const { key } = await ask<{ key: string }>('/api/api-keys/create', tokenOf(ADMIN), made);
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' };
    const response = await fetch(`${address}/scim/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 201, await response.clone().text());
    return (await response.json()) as { id: string };
  };
  const user = {
    userName: 'by.entra@globex.example',
    name: { givenName: 'Entra' },
    roles: [{ value: 'foreign_role' }],
  };
  const { id } = await send('Users', user);
  await send('Groups', { displayName: 'Sales EMEA', members: [{ value: id }, { value: 'nobody' }] });
  await open('/keys/directories', ADMIN, async (page) => {
    const directory = page
      .getByRole('table', { name: 'Directories and groups' })
      .getByRole('row')
      .filter({ hasText: 'Entra ID' });
    await directory.waitFor();
    const leftOut = page.getByRole('table', { name: 'What was left out' });
    await leftOut.getByText('Roles: FOREIGN_ROLE').waitFor();
    await leftOut.getByText('Members: nobody').waitFor();
    const unmapped = page.getByRole('table', { name: 'Groups without a mapping' });
    await unmapped.getByRole('row').filter({ hasText: 'Sales EMEA' }).getByRole('button', { name: /^Map/ }).click();
    await page.getByRole('dialog').getByLabel('Role', { exact: true }).selectOption({ label: 'Manager' });
    await page.getByRole('dialog').getByRole('button', { name: 'Map a group' }).click();
    await page.getByRole('table', { name: 'What groups give' }).getByText('Sales EMEA').waitFor();
  });
  await open(`/people/${id}`, ADMIN, async (page) => {
    await page.getByText('keeps this person up to date').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    const managed = form.getByText(/^Managed by/);
    await managed.first().waitFor();
    // The names, addresses, phone, department and employment, and not the band or the approval limit.
    await assertBecomes(() => managed.count(), 11);
    await page.keyboard.press('Escape');
  });
  await open('/keys/directories', ADMIN, async (page) => {
    await page
      .getByRole('table', { name: 'Directories and groups' })
      .getByRole('link', { name: 'Entra ID', exact: true })
      .click();
    await page.getByText(`${address}/scim/v2`).waitFor();
    for (const [name, heading] of [
      ['Microsoft Entra ID', 'microsoft-entra-id'],
      ['Okta', 'okta'],
      ['Google Workspace', 'google-workspace'],
      ['JumpCloud', 'jumpcloud'],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      await assertBecomes(() => link.getAttribute('href'), `/docs/provisioning#${heading}`);
      assert.match(await (await fetch(`${address}/docs/provisioning`)).text(), new RegExp(`id="${heading}"`));
    }
    await page
      .getByRole('table', { name: 'People' })
      .getByRole('link', { name: /^Entra/ })
      .waitFor();
    await page.getByRole('table', { name: 'Groups' }).getByText('Sales EMEA').waitFor();
    await page.getByRole('table', { name: 'What was left out' }).getByText('Members: nobody').waitFor();
  });
});
