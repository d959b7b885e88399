import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startUnderPath } from '../deploy/proxies.ts';
import { freePort } from '../support/free-port.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { answer, leave } from './at-provider.ts';
import { lookAt, startBrowser, visit } from './browser.ts';
import { heading } from './console.ts';
import { startService } from './service.ts';

/*
 * Shows the built service under a path by nginx, as docs/deployment.md has it, and uses it in Chromium: the console with sign-in, deep
 * links and lists, the page of the API and a request from it, the guides. Nothing outside of the path is requested.
 * Run by `npm run long -- deploy`.
 */
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-path-'));
const servicePort = await freePort();
try {
  await using nginx = await startUnderPath(folder, servicePort);
  const address = nginx.url;
  await using provider = await startIdentityProvider([`${address}/`]);
  provider.addAccount({ sub: 'an-admin', email: 'admin@acme.example', email_verified: true });
  const settings = { ...provider.settings, OIDC_CLIENT_ID: provider.client, TRUST_PROXY: '127.0.0.1' };
  await using _service = await startService({ ...settings, PORT: String(servicePort) });
  const browser = await startBrowser();
  try {
    const visited = await visit(browser, address, { allowed: [provider.issuer], isPatient: true });
    await lookAt(visited, async (page) => {
      await page.goto(`${address}/people?search=naveen`);
      await leave(page);
      await answer(page, 'an-admin');
      await heading(page, 'People');
      assert.equal(page.url(), `${address}/people?search=naveen`);
      await page.getByRole('link', { name: 'Naveen Gupta' }).click();
      await page.waitForURL(`${address}/people/*`);
      await page.getByRole('navigation').getByRole('link', { name: 'Geography' }).click();
      await heading(page, 'Geography');
      await page.getByRole('searchbox').first().fill('margao');
      await page.locator('a[data-item][href*="city="]').first().click();
      await page.waitForURL((url) => url.href.startsWith(`${address}/geography?`) && url.searchParams.has('city'));
      await page.goto(`${address}/docs`);
      await page.locator('#operations-tag-Geography').click();
      await page.locator('#operations-Geography-listCountries .opblock-summary-control').click();
      await page.locator('#operations-Geography-listCountries .try-out__btn').click();
      await page.locator('#operations-Geography-listCountries .execute').click();
      await page.locator('.live-responses-table').getByText('Countries retrieved').first().waitFor();
      await page.getByRole('link', { name: 'Guides' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Errors', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
      assert.equal(page.url(), `${address}/docs/errors`);
    });
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
