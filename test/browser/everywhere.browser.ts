import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { downloadedCsv, heading, openConsole } from './console.ts';

const { open, address, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const ADMIN = 'admin@acme.example';
const STAFF = 'super.admin@orgdesk.example';

it('a printed page is black on white, without controls, and no wider than the paper', () =>
  open(
    '/people',
    ADMIN,
    async (page) => {
      for (const path of ['/people', '/companies?search=acme', '/departments', '/history']) {
        const name = path === '/companies?search=acme' ? 'Company' : undefined;
        if (name) await page.getByRole('link', { name, exact: true }).click();
        else await page.locator(`nav a[href="${path}"]`).click();
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        // A4, in the pixels of a browser.
        await page.setViewportSize({ width: 718, height: 1000 });
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await assertBecomes(() => page.getByRole('button').count(), 0, path);
        await assertBecomes(() => page.getByRole('navigation').count(), 0, path);
        const printed = () =>
          page.evaluate(() => {
            const scrolled = [...document.querySelectorAll('*')].filter(
              (one) => getComputedStyle(one).overflowX === 'auto',
            );
            const wide = [document.documentElement, ...scrolled].map((one) => one.scrollWidth - one.clientWidth);
            const texts = [...document.querySelectorAll('main h1, main td, main dd, main td a')];
            return [Math.max(...wide), [...new Set(texts.map((one) => getComputedStyle(one).color))]] as [
              number,
              string[],
            ];
          });
        await assertBecomes(printed, [0, ['rgb(0, 0, 0)']], path);
        await page.emulateMedia({ media: 'screen' });
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    },
    { colorScheme: 'dark' },
  ));

it("the console has the system's colours until others are chosen, and again after choosing the system's", () =>
  open('/geography', undefined, async (page) => {
    const shown = (scheme: string) => page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    await shown('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shown('dark');
    await page.getByRole('button', { name: 'Use light colours' }).click();
    await shown('light');
    await page.reload();
    await shown('light');
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await shown('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await shown('light');
  }));

it('copy buttons copy ids and GSTINs', () =>
  open('/profile', ADMIN, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (label: string, value: RegExp, where: 'main' | 'dialog' = 'main') => {
      await page
        .getByRole(where)
        .getByRole('button', { name: `Copy: ${label}` })
        .click();
      await page.getByText(`${label} copied.`, { exact: true }).last().waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), value);
    };
    await copied('GSTIN', /^[A-Z0-9-]+$/);
    await copied('User id', /^[\da-f-]{36}$/);
    await page.getByRole('link', { name: 'Company', exact: true }).click();
    await copied('Company id', /^[\da-f-]{36}$/);
    await page.getByRole('main').getByRole('link', { name: 'Approval policies' }).click();
    await page.getByRole('article').getByRole('link').first().click();
    await copied('Policy id', /./);
    for (const list of ['Departments', 'Bands']) {
      await page.getByRole('navigation').getByRole('link', { name: list }).first().click();
      await page.getByRole('table', { name: list }).getByRole('button', { name: /^Edit/ }).first().click();
      await copied('ID', /./, 'dialog');
      await page.keyboard.press('Escape');
    }
  }));

it("a page's breadcrumbs lead to the pages above", async () => {
  const above = (page: Page) => page.getByRole('navigation', { name: 'Pages above this one' }).getByRole('link');
  await open('/people/import', ADMIN, async (page) => {
    await above(page).getByText('People').click();
    await heading(page, 'People');
  });
  await open('/companies?search=acme', STAFF, async (page) => {
    await page.getByRole('link', { name: 'Acme', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'People' }).click();
    await page.getByTestId('count').waitFor();
    await assertBecomes(() => above(page).allTextContents(), ['Companies', 'Acme']);
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('heading', { level: 2, name: 'Work' }).waitFor();
    await assertBecomes(() => above(page).allTextContents(), ['Companies', 'Acme', 'People']);
    await above(page).getByText('People').click();
    await page.getByTestId('count').waitFor();
    await above(page).getByText('Acme').click();
    await heading(page, 'Acme');
  });
});

it("a list's CSV file has all pages, also if the service answers one with 429", async () => {
  const lists = [
    ['/companies', STAFF, /^Company,GSTIN,Credit limit,Credit days,People,Bookings,Status$/],
    ['/departments', ADMIN, /^Department,Cost code,Budget,(?:Spent,Remaining,)?People$/],
    ['/bands', ADMIN, /^Band,Code,Approved automatically up to,Maximum booking,People$/],
    ['/policies', ADMIN, /^Name,Approved automatically up to,Levels$/],
    ['/history', STAFF, /^When \(UTC\),Who,What happened$/],
    ['/keys', STAFF, /^Name,Company,Key,Permissions,Created by,Last used,Expires,Status$/],
    ['/webhooks', STAFF, /^URL,Company,Description,Events,Added,Status$/],
  ] as const;
  // A list that has nothing gives no file.
  await ask('/api/api-keys/create', tokenOf(STAFF), { name: 'Listed', scopes: ['users.read'] });
  await ask('/api/webhooks/create', tokenOf(STAFF), { url: 'https://8.8.8.8/listed' });
  for (const [path, who, head] of lists) {
    await open(path, who, async (page) => {
      await page.getByRole('button', { name: 'Download as CSV' }).waitFor();
      const json = { success: false, message: 'Wait a moment.', code: 'RATE_LIMITED', requestId: 'x' };
      const answer = { status: 429, json, headers: { 'retry-after': '1' } };
      await intercept(page, /\/list\?.*limit=100/, (route) => route.fulfill(answer), 1);
      const [first = ''] = (await downloadedCsv(page)).split('\r\n');
      assert.match(first.replace('\uFEFF', ''), head);
    });
  }
});

it('a list goes to a page by its number, and to the last page for a number past the end', () =>
  open('/companies', STAFF, async (page) => {
    const count = page.getByTestId('count');
    await count.waitFor();
    await page.route('**/api/companies/list?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { pagination: Record<string, unknown> };
      const currentPage = Number(new URL(route.request().url()).searchParams.get('page'));
      Object.assign(body.pagination, { totalItems: 13_000, totalPages: 1_300, currentPage });
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await count.getByText('1–10 of 13,000').waitFor();
    await page.getByLabel('Go to page').fill('900');
    await page.getByLabel('Go to page').press('Enter');
    await count.getByText('8,991–9,000 of 13,000').waitFor();
    await page.getByLabel('Go to page').fill('99999');
    await page.getByLabel('Go to page').press('Enter');
    await page.waitForURL(/page=1300$/);
    await count.getByText('12,991–13,000 of 13,000').waitFor();
  }));
