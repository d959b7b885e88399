import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { lookAt, startBrowser, visit } from './browser.ts';
import { startService } from './service.ts';

/** The console of a service at whose provider people sign in, in a browser; all of it ends with the test file. */
export async function openAtProvider() {
  // The provider wants to know the address that it leads back to before the service starts.
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider([`${address}/`]);
  provider.addAccount({ sub: 'an-employee', email: 'employee@acme.example', email_verified: true });
  provider.addAccount({ sub: 'an-admin', email: 'admin@acme.example', email_verified: true });
  const service = await startService({ ...provider.settings, PORT: String(port), OIDC_CLIENT_ID: provider.client });
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  /** Opens a path in a browser without a past, and closes it with a look at what went wrong meanwhile. */
  async function open(path: string, look: (page: Page) => Promise<unknown>): Promise<void> {
    const visited = await visit(browser, address, { allowed: [provider.issuer], isPatient: true });
    const { page } = visited;
    const requested: string[] = [];
    page.on('dialog', (dialog) => {
      requested.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${address}${path}`);
    await lookAt(visited, look);
    assert.deepEqual(requested, [], 'questions of the browser');
  }
  return { address, provider, open };
}

export const leave = (page: Page) => page.getByRole('button', { name: 'Sign in with your account' }).click();

/** Says at the provider who one is. */
export async function answer(page: Page, account: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Account' }).fill(account);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function signIn(page: Page, account = 'an-employee'): Promise<void> {
  await leave(page);
  await answer(page, account);
}
