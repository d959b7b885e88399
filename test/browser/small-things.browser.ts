import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deferred } from '../../src/lib/deferred.ts';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';

const { open, address } = await openConsole();
const ADMIN = 'admin@acme.example';

it('each page has a heading while its content loads', () =>
  open('/geography', ADMIN, async (page) => {
    await intercept(page, /\/api\/(?!users\/profile)/, () => new Promise(() => undefined));
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const path of ['/people/0f2b7b1c-2a52-4f0e-9c65-0d9f1c6f3101', '/history', '/overview', '/policies/x']) {
      await page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await page.locator('main [aria-busy=true]').first().waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    }
  }));

it('a page draws a frame with menu, title and rows before scripts and styles arrive', () =>
  open('/geography', undefined, async (page) => {
    const held = deferred();
    const requested = new Set<string>();
    await page.route('**/assets/*', async (route) => {
      requested.add(new URL(route.request().url()).pathname.replace(/.*\./, ''));
      await held.promise;
      await route.continue();
    });
    const reloaded = page.reload();
    const frame = page.locator('#frame');
    await frame.getByText('orgdesk').waitFor();
    await assertBecomes(
      () =>
        frame.locator('s, i').evaluateAll((parts) => parts.every((part) => part.getBoundingClientRect().height > 20)),
      true,
    );
    assert.equal(await frame.locator('i').count(), 5);
    held.resolve();
    await reloaded;
    await frame.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Geography' }).waitFor();
    assert.deepEqual([...requested].sort(), ['css', 'js']);
  }));

it('the page may be kept by the browser for Back and Forward', async () => {
  const answer = await fetch(`${address}/people`, { headers: { accept: 'text/html' } });
  assert.doesNotMatch(answer.headers.get('cache-control') ?? '', /no-store/);
  await answer.text();
});

it('the API reference opens in another tab, and the person stays signed in', () =>
  open('/profile', ADMIN, async (page) => {
    const tab = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'API reference' }).click();
    await (await tab).close();
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  }));

it('the form of a key explains each permission, and the form of a band the people concerned', () =>
  open('/keys', ADMIN, async (page) => {
    await page.getByRole('button', { name: 'Create API key' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('Tenant URL /scim/v2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Bands', exact: true }).click();
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await page
      .getByRole('dialog')
      .getByText(/It applies to/)
      .waitFor();
  }));
