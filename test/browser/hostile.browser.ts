import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { assertBecomes, visit } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { service, address, browser, open } = await openConsole();

/** Markup that would run a script, then a mark that turns the direction of writing, and one that ends an isolation. */
const hostile = (field: string) => `${field}<img src=x onerror="alert(1)">\u202Egnp\u2069`;
const { company: COMPANY, user: USER, token } = bringCompany(service, 1, hostile);

/** Nothing of it has become an element, and each text that is named stands there. */
async function showsAsText(page: Page, ...fields: string[]): Promise<void> {
  for (const field of fields) await page.getByText(hostile(field).slice(0, -1)).first().waitFor();
  await assertBecomes(() => page.locator('main img, main b, header img').count(), 0);
}

describe('hostile texts', () => {
  it('the profile shows markup in values as text', () =>
    open('/profile', token, async (page) => {
      await showsAsText(page, 'first', 'legal', 'department', 'cost', 'band', 'code');
      for (const [label, field] of [
        ['First name', 'first'],
        ['Last name', 'last'],
        ['Gender', 'gender'],
        ['Address', 'line 1'],
        ['Address, second line', 'line 2'],
      ] as const) {
        await assertBecomes(() => page.getByLabel(label, { exact: true }).inputValue(), hostile(field));
      }
      await page.getByText(`Corporate Admin, `).waitFor();
    }));

  it('the list of companies shows markup in values as text', () =>
    open('/companies?search=own-1', 'super.admin@orgdesk.example', (page) => showsAsText(page, 'company', 'legal')));

  it('the lists of departments and approval policies show markup in values as text', async () => {
    await open('/departments', token, (page) => showsAsText(page, 'department', 'cost', 'company'));
    await open('/policies?amount=5', token, (page) => showsAsText(page, 'policy', 'company'));
  });

  it('the pages of administration show markup in values as text', async () => {
    await open('/people', token, async (page) => {
      await showsAsText(page, 'first');
      await page.getByRole('rowheader').getByRole('link').first().click();
      await showsAsText(page, 'first', 'gender', 'line 1', 'department', 'band');
      await page.getByRole('button', { name: /^Edit/ }).click();
      await page.getByRole('dialog').getByLabel('Gender').waitFor();
      await showsAsText(page, 'first');
    });
    await open(`/companies/${COMPANY}`, token, (page) => showsAsText(page, 'company', 'legal'));
    await open('/bands', token, (page) => showsAsText(page, 'band', 'code'));
    await open('/policies/policy-1?amount=5', token, (page) => showsAsText(page, 'policy'));
    await open(`/history?userId=${USER}`, token, (page) => showsAsText(page, 'first'));
  });

  it('a value with a right-to-left mark leaves the direction of the surrounding text alone', () =>
    open('/departments', token, async (page) => {
      const lead = page.getByText('may spend, and how many people they have.');
      await lead.waitFor();
      // The words after the company's name stand behind those before it, and in the order in which they are read.
      const [before, name, after] = await lead.evaluate(
        (element, words) => {
          const text = element.firstChild ?? element;
          return words.map((word) => {
            const range = document.createRange();
            const at = (text.textContent ?? '').indexOf(word);
            range.setStart(text, at);
            range.setEnd(text, at + word.length);
            const { x, y } = range.getBoundingClientRect();
            return y * 10_000 + x;
          });
        },
        ['departments', 'company', 'people'],
      );
      assert.ok((before ?? 0) < (name ?? 0) && (name ?? 0) < (after ?? 0), `${before} ${name} ${after}`);
    }));

  it('the geography shows markup in names and searches as text', async () => {
    const answer = (place: object) => ({ json: { success: true, message: '', data: [place] } });
    const counts = { states: 1, cities: 1 };
    const named = (name: string) => ({
      id: 0,
      name: hostile(name),
      stateCode: 'X',
      iso2: 'XX',
      iso3: 'XXX',
      parentId: null,
    });
    const pagination = { totalItems: 1, currentPage: 1, totalPages: 1, pageSize: 20, hasNextPage: false };
    await open('/geography?country=0&state=0', undefined, async (page) => {
      await page.route('**/api/countries/list', (route) =>
        route.fulfill(answer({ ...named('country'), _count: counts })),
      );
      await page.route('**/api/states/list?*', (route) => route.fulfill(answer({ ...named('state'), _count: counts })));
      await page.route('**/api/cities/list?*', (route) => {
        const around = { countryId: 0, stateId: 0, state: named('of it'), country: named('of it') };
        return route.fulfill({ json: { ...answer({ ...named('city'), ...around }).json, pagination } });
      });
      await page.reload();
      await showsAsText(page, 'country', 'state', 'city');
      await page.getByLabel('Search all cities').fill(hostile('search'));
      await showsAsText(page, 'search', 'of it');
    });
  });

  it("the console shows markup in the address and in the service's messages as text", async () => {
    const query = new URLSearchParams({ search: hostile('search'), amount: hostile('amount'), companyId: COMPANY });
    await open(`/policies?${query}`, token, async (page) => {
      await page.getByText('Nothing matches').waitFor();
      await assertBecomes(() => page.getByLabel('Search', { exact: true }).inputValue(), hostile('search'));
      const json = { success: false, message: hostile('message'), code: 'INTERNAL', requestId: hostile('id') };
      await page.route('**/api/approval-policies/list?*', (route) => route.fulfill({ status: 500, json }));
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await showsAsText(page, 'message', 'id');
    });
  });
});

it("the page's policy blocks foreign scripts, images and styles, and the tests notice each attempt", async () => {
  const { page, complaints } = await visit(browser, address);
  await page.goto(`${address}/geography`);
  await heading(page, 'Geography');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hasRun = true';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'https://foreign.example/x.png';
    document.body.append(image);
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.hasRun = true">');
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.body.append(style);
  });
  for (const directive of ['script-src-elem', 'script-src-attr', 'img-src', 'style-src-elem']) {
    const isForbidden = () => complaints.some((complaint) => complaint.includes(`forbids it: ${directive}`));
    await waitUntil(`a complaint of ${directive}`, isForbidden);
  }
  await assertBecomes(() => page.evaluate(() => 'hasRun' in window), false);
  await assertBecomes(() => page.locator('body').isVisible(), true);
  await page.context().close();
});
