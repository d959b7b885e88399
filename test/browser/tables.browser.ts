import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { deferred } from '../../src/lib/deferred.ts';
import { waitUntil } from '../support/wait-until.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { cutOff } from './visible.ts';

const { open } = await openConsole();
const STAFF = 'super.admin@orgdesk.example';

async function delayed(route: Route): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 400));
  await route.continue().catch(() => undefined);
}

describe('tables', () => {
  it('a table with long content cuts off nothing at any width', () =>
    open('/companies?limit=25', STAFF, async (page) => {
      await page.route('**/api/companies/list?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: Record<string, unknown>[] };
        Object.assign(body.data[0] ?? {}, { name: 'W'.repeat(184), legalName: 'Long name '.repeat(20) });
        Object.assign(body.data[1] ?? {}, { creditLimit: '9999999999999.99', gstin: 'X'.repeat(30) });
        await route.fulfill({ response, json: body });
      });
      await page.getByRole('row').nth(10).waitFor();
      await page.reload();
      await page.getByText('W'.repeat(184)).waitFor();
      for (const width of [320, 390, 600, 768, 769, 800, 834, 880, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await waitUntil(`all to be reached at ${width}`, async () => (await cutOff(page)).length === 0);
        const last = page.locator('td[data-label=Bookings]').first();
        await last.scrollIntoViewIfNeeded();
        const box = (await last.boundingBox()) ?? assert.fail();
        assert.ok(box.x >= 0 && box.x + box.width <= width + 1, `${width}: bookings at ${box.x}`);
        const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await assertBecomes(beyond, 0, `${width}: wider than the screen`);
      }
    }));

  it('a table shows its filters on a wide screen, and a button for the filters on a phone', () =>
    open('/people', 'admin@acme.example', async (page) => {
      const [filters, button] = [
        page.getByRole('combobox', { name: 'Department' }),
        page.getByRole('button', { name: 'Filters' }),
      ];
      for (const width of [1440, 1024, 800]) {
        await page.setViewportSize({ width, height: 900 });
        await filters.waitFor();
        await button.waitFor({ state: 'hidden' });
      }
      await page.setViewportSize({ width: 390, height: 900 });
      await filters.waitFor({ state: 'hidden' });
      await button.click();
      await filters.waitFor();
    }));

  it('two quick clicks on Next go two pages on, to the top, and Back returns to the same position', () =>
    open('/companies', STAFF, async (page) => {
      await page.getByRole('row').nth(10).waitFor();
      await page.setViewportSize({ width: 390, height: 500 });
      await page.route('**/api/companies/list?*', delayed);
      const next = page.getByRole('button', { name: 'Next page' });
      await next.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      assert.ok(before > 300, String(before));
      await next.evaluate((button) => {
        for (let click = 0; click < 2; click++) setTimeout(() => (button as HTMLElement).click(), click * 20);
      });
      await page.waitForURL(/page=3/);
      await page
        .getByTestId('count')
        .getByText(/^21–\d+ of/)
        .waitFor();
      await page.waitForFunction(() => scrollY === 0);
      for (let back = 0; back < 2; back++) await page.goBack();
      await page
        .getByTestId('count')
        .getByText(/^1–10 of/)
        .waitFor();
      await page.waitForFunction((place) => Math.abs(scrollY - place) < 60, before);
    }));

  it('a table says that its rows are old while new ones load', () =>
    open('/companies', STAFF, async (page) => {
      await page.getByRole('row').nth(10).waitFor();
      const held = deferred();
      await page.route('**/api/companies/list?*', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByLabel('Search', { exact: true }).fill('acme');
      await page.getByText('Loading. The old rows are still shown.').waitFor();
      held.resolve();
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
      await assertBecomes(() => page.getByText('The old rows are still shown').count(), 0);
    }));
});
