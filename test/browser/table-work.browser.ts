import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';
import { assertVisibleAndAccessible } from './visible.ts';

const { address, service, tokenOf, open } = await openConsole();
const { ask } = apiOf(address);
const STAFF = 'super.admin@orgdesk.example';
const { company, token } = bringCompany(service, 56, (field) => (field === 'first' ? 'Zoe' : `Work ${field}`));
const COUNT = 100;
const WIDE = { width: 1500 };
const now = new Date();
const LAST_MONTH = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);

await ask('/api/users/save', token, {
  companyId: company,
  create: Array.from({ length: COUNT }, (_, index) => ({
    email: `work-${index}@own-31.example`,
    firstName: 'Worker',
    lastName: `W${String(index).padStart(3, '0')}`,
    phone: `+91 98450 ${10_000 + index}`,
    approvalLimit: '5.00',
    employment: { employeeNumber: `E-${index}`, startDate: index < 40 ? '2020-01-01' : LAST_MONTH },
  })),
});

/** Opens the address of a page in a new visit. */
async function openAgain(page: Page): Promise<void> {
  const shared = page.url();
  await page.goto('about:blank');
  await page.goto(`${shared}#token=${token}`);
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Opened person' });
const titleOf = (page: Page, name: string) => panelOf(page).getByRole('heading', { level: 2, name }).waitFor();
const link = (page: Page, name: string) => page.getByRole('rowheader').getByRole('link', { name });

describe('a person next to the list', () => {
  it('a person opens next to the list, and buttons, keys and the address change and close the panel', () =>
    open(
      `/people?companyId=${company}`,
      token,
      async (page) => {
        await link(page, 'Worker W001').click();
        await titleOf(page, 'Worker W001');
        await page.waitForURL(/person=/);
        await assertBecomes(() => page.evaluate(() => document.activeElement?.tagName), 'ASIDE');
        await panelOf(page).getByRole('button', { name: 'Next person' }).click();
        await titleOf(page, 'Worker W002');
        await panelOf(page)
          .getByRole('status')
          .getByText(/W002.?, 3 of 25/)
          .waitFor();
        await page.keyboard.press('j');
        await titleOf(page, 'Worker W003');
        await page.keyboard.press('k');
        await page.keyboard.press('k');
        await titleOf(page, 'Worker W001');
        await page.keyboard.press('x');
        await page.getByTestId('selected').getByText('1 selected').waitFor();
        await assertVisibleAndAccessible(page, 'a person next to the list');
        await page.keyboard.press('e');
        await page.getByRole('dialog', { name: /^Edit: .?Worker W001/ }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await titleOf(page, 'Worker W001');
        await openAgain(page);
        await titleOf(page, 'Worker W001');
        await page.keyboard.press('Escape');
        await panelOf(page).waitFor({ state: 'detached' });
        await link(page, 'Worker W002').press('Enter');
        await titleOf(page, 'Worker W002');
        await page.keyboard.press('Escape');
        await panelOf(page).waitFor({ state: 'detached' });
        await assertBecomes(() => page.evaluate(() => document.activeElement?.textContent), 'Worker W002');
      },
      WIDE,
    ));

  it('a person opens as a page on a narrow screen, also by the link of a wide screen', () =>
    open(`/people?companyId=${company}&search=W001`, token, async (page) => {
      await page.setViewportSize({ width: 1500, height: 900 });
      await link(page, 'Worker W001').click();
      await titleOf(page, 'Worker W001');
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole('heading', { level: 1, name: 'Worker W001' }).waitFor();
      await assertBecomes(() => panelOf(page).count(), 0);
      await page.goBack();
      await link(page, 'Worker W001').click();
      await page.getByRole('heading', { level: 1, name: 'Worker W001' }).waitFor();
    }));
});

describe('a list of people', () => {
  it('selecting one of a hundred people renders one row', () =>
    open(`/people?companyId=${company}&limit=100`, token, async (page) => {
      await page.getByRole('row').nth(COUNT).waitFor();
      await page.evaluate(() => {
        const box = document.querySelectorAll<HTMLInputElement>('tbody input')[3];
        const original = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format');
        const seen = { formats: 0, rows: new Set<Element | null>() };
        Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
          configurable: true,
          get() {
            seen.formats += 1;
            return original?.get?.call(this);
          },
        });
        const observer = new MutationObserver((changes) => {
          for (const { target } of changes) seen.rows.add((target as Element).closest('tbody tr'));
        });
        const table = document.querySelector('tbody');
        if (table) observer.observe(table, { subtree: true, childList: true, attributes: true, characterData: true });
        box?.click();
        Object.assign(window, { seen });
      });
      // The bar of the selection is drawn with the row, or after it.
      await page.getByTestId('selected').getByText('1 selected').waitFor();
      const count = await page.evaluate(() => {
        const { seen } = window as unknown as { seen: { formats: number; rows: Set<Element | null> } };
        return { formats: seen.formats, rows: seen.rows.size };
      });
      assert.equal(count.rows, 1);
      assert.ok(count.formats < COUNT / 4, `${count.formats} numbers were formatted`);
    }));

  it('a search finds people by reversed name, phone, employee number and department, also by Ctrl+K', () =>
    open(`/people?companyId=${company}`, token, async (page) => {
      const box = page.getByLabel('Search', { exact: true });
      for (const [text, found] of [
        ['W007, Worker', 'Worker W007'],
        ['98450 10042', 'Worker W042'],
        ['e-61', 'Worker W061'],
      ] as const) {
        await box.fill(text);
        await page.getByTestId('count').getByText('1–1 of 1').waitFor();
        await link(page, found).waitFor();
      }
      await box.fill('work department');
      await page
        .getByTestId('count')
        .getByText(`of ${COUNT + 1}`)
        .waitFor();
      await box.blur();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('w033 worker');
      await page.getByRole('dialog').getByRole('option', { name: 'Worker W033' }).waitFor();
    }));

  it('a saved view of people has a name, and its link shows the view to others', () =>
    open(`/people?companyId=${company}`, token, async (page) => {
      await page.getByLabel('Show').selectOption('Inactive people');
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Save view' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name of the view').fill('Leavers');
      await form.getByRole('button', { name: 'Save view' }).click();
      await page.waitForURL((url) => url.searchParams.get('view') === 'Leavers');
      await page.getByLabel('View', { exact: true }).selectOption('None');
      await page
        .getByTestId('count')
        .getByText(`of ${COUNT + 1}`)
        .waitFor();
      await page.getByLabel('View', { exact: true }).selectOption('Leavers');
      await page.getByText('Nothing matches').waitFor();
      await openAgain(page);
      await page.getByText('Nothing matches').waitFor();
      await page.evaluate(() => localStorage.removeItem('orgdesk.views'));
      await openAgain(page);
      await page.getByText('Nothing matches').waitFor();
      await assertBecomes(() => page.getByLabel('View', { exact: true }).inputValue(), 'Leavers');
      await page.getByLabel('View', { exact: true }).selectOption('None');
      await page
        .getByTestId('count')
        .getByText(`of ${COUNT + 1}`)
        .waitFor();
    }));

  it('the file of all people is read by cursor in two requests', () =>
    open(`/people?companyId=${company}`, token, async (page) => {
      const requests: URL[] = [];
      page.on('request', (request) => requests.push(new URL(request.url())));
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV' }).click();
      await download;
      const people = requests.filter(({ pathname }) => pathname === '/api/users/list');
      const cursors = people.flatMap(({ searchParams }) => searchParams.get('after') ?? []);
      assert.equal(cursors[0], 'start');
      assert.equal(cursors.length, 2);
    }));
});

it('the list of people in German describes its order and the effect of a change of many', () =>
  open(
    `/people?companyId=${company}&search=W01`,
    token,
    async (page) => {
      await page.getByLabel('Sortieren nach').selectOption('Neueste Änderung zuerst');
      await page.waitForURL(/sort=-updatedAt/);
      await page.locator('main [aria-busy=false]').waitFor();
      for (const name of ['Worker W011', 'Worker W012'])
        await page.getByLabel(`${name} auswählen`).check({ force: true });
      await page.getByRole('button', { name: '2 Personen bearbeiten' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Genehmigungslimit').fill('5');
      await form.getByText('Änderungen bei 0 Personen. 2 haben diese Werte bereits.').waitFor();
      await form.getByLabel('Status').selectOption('Inaktiv');
      await form.getByText('2 Personen werden abgemeldet und können sich nicht mehr anmelden.').waitFor();
    },
    { locale: 'de-DE' },
  ));

describe('the overview', () => {
  it('the overview shows the number of people in each of the last twelve months', () =>
    open(`/overview?companyId=${company}`, token, async (page) => {
      const months = page.getByRole('region', { name: 'People by month' }).getByRole('listitem');
      await months.first().getByText(/: 40$/).waitFor();
      await months
        .nth(11)
        .getByText(/: 101$/)
        .waitFor();
      await assertBecomes(() => months.count(), 12);
    }));

  it("the demo's overview shows a growing company", () =>
    open('/overview', 'admin@acme.example', async (page) => {
      const months = page.getByRole('region', { name: 'People by month' }).getByRole('listitem');
      await months.first().waitFor();
      const people = (await months.allInnerTexts()).map((text) => Number(/(\d+)$/.exec(text)?.[1]));
      assert.ok((people[0] ?? 0) < (people[11] ?? 0), people.join());
      assert.ok(new Set(people).size > 6 && (people[0] ?? 0) > 30, people.join());
    }));
});

describe('platform staff', () => {
  it('platform staff sort companies, and filter closed ones', () =>
    open('/companies', STAFF, async (page) => {
      const first = page.getByRole('row').nth(1);
      await page.getByRole('button', { name: 'Credit limit' }).click();
      await page.waitForURL(/sort=creditLimit/);
      await page.getByRole('button', { name: 'Credit limit' }).click();
      await page.waitForURL(/sort=-creditLimit/);
      const highest = await ask<{ name: string }[]>('/api/companies/list?sort=-creditLimit&limit=1', tokenOf(STAFF));
      await first.getByRole('link', { name: highest[0]?.name ?? assert.fail() }).waitFor();
      await page.getByLabel('Show').selectOption('Inactive companies only');
      await page.waitForURL(/inactiveOnly=true/);
      await first.getByText('Inactive').waitFor();
    }));

  it('platform staff filter the history by a person of any company and by origin', () =>
    open('/history', STAFF, async (page) => {
      await page.getByLabel('Changed by').first().fill('Zoe');
      await page.getByRole('option', { name: 'Zoe Work last' }).click();
      await page.waitForURL(/actorId=/);
      await page
        .getByRole('cell')
        .getByText(/ 100 people added/)
        .first()
        .waitFor();
      await page.getByLabel('Through').selectOption('API keys');
      await page.waitForURL(/actorKind=key/);
      await page.getByText('Nothing matches').waitFor();
    }));
});
