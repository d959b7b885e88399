import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startBrowser, visit } from './browser.ts';
import { startProvider } from './provider.ts';
import { startService } from './service.ts';

const provider = await startProvider('employee@acme.example');
const service = await startService(provider.settings);
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  provider.close();
});

it('with an identity provider one signs in by code with PKCE, and comes back to where one was with what was typed', async () => {
  const { page, complaints, foreign } = await visit(browser, service.address, { allowed: [provider.issuer] });
  await page.goto(`${service.address}/profile#token=ignored`);
  assert.equal(page.url(), `${service.address}/profile`);
  await page.getByText('This link does not sign in here').or(page.getByText('You sign in with')).first().waitFor();
  await page.getByRole('button', { name: 'Sign in with your account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  assert.equal(page.url(), `${service.address}/profile`);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);

  await page.getByLabel('Gender').fill('Typed before');
  const json = { success: false, message: 'The access token has expired.', code: 'INVALID_TOKEN', requestId: 'x' };
  await page.route('**/api/users/update-profile', (route) => route.fulfill({ status: 401, json }), { times: 1 });
  await page.getByRole('button', { name: 'Save' }).click();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in with your account' }).click();
  await page.getByText('1 unsaved change').waitFor();
  assert.equal(await page.getByLabel('Gender').inputValue(), 'Typed before');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your profile is saved.').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});
