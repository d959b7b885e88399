import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openConsole } from './console.ts';

const { tokenOf, open } = await openConsole();

describe('the documentation', () => {
  it('the API documentation keeps the token over a reload', () =>
    open('/docs/', undefined, async (page) => {
      await page.locator('.auth-wrapper .authorize').click();
      const scheme = page.locator('.auth-container').filter({ hasText: 'A user’s access token' });
      await scheme.locator('input').fill(tokenOf('employee@acme.example'));
      await scheme.locator('.auth-btn-wrapper .authorize').click();
      await scheme.locator('.auth-btn-wrapper .btn-done').click();
      await page.locator('.auth-wrapper .authorize.locked').waitFor();
      await page.reload();
      await page.locator('.auth-wrapper .authorize.locked').waitFor();
      await page.locator('#operations-tag-Profile .expand-operation').click();
      await page.locator('#operations-Profile-getProfile .opblock-summary-control').click();
      await page.locator('#operations-Profile-getProfile .try-out__btn').click();
      await page.locator('#operations-Profile-getProfile .execute').click();
      await page.locator('.live-responses-table').getByText('employee@acme.example').first().waitFor();
    }));

  it('the API documentation links to the guides, and these to each other', () =>
    open('/docs', undefined, async (page) => {
      await page.getByRole('link', { name: 'Guides' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Errors', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'audit.md' }).click();
      await page.getByRole('heading', { level: 2, name: 'Following' }).waitFor();
      assert.match(page.url(), /\/docs\/audit#following$/);
      await page.waitForFunction(
        () => (document.getElementById('following')?.getBoundingClientRect().top ?? 200) < 200,
      );
    }));
});
