import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { intercept, lookAt, startBrowser, type Visit, type VisitOptions, visit } from './browser.ts';
import { type ConsoleService, startService } from './service.ts';

/** By which the runner tells the test files of the service that they share. */
export const SHARED_SERVICE = 'CONSOLE_SERVICE';

export interface DemoPerson {
  email: string;
  name: string;
  active: boolean;
  token: string;
}

/**
 * The console of a service on the demo, in a browser; both end with the test file.
 *
 * @param isShared whether other test files use the same service, where they run together
 */
export async function openConsole({ isShared = true } = {}) {
  const shared = isShared ? process.env[SHARED_SERVICE] : undefined;
  const own = shared === undefined ? await startService() : undefined;
  const service: ConsoleService = own ?? JSON.parse(shared ?? '');
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await own?.[Symbol.asyncDispose]();
  });
  const { address } = service;
  const { people } = await apiOf(address).ask<{ people: DemoPerson[] }>('/console/config', undefined);
  const tokenOf = (email: string) => people.find((person) => person.email === email)?.token ?? assert.fail(email);

  /** Opens a path with an access token or as somebody of the demo where one is named, and closes it with a look at what went wrong meanwhile. */
  async function open(
    path: string,
    who: string | undefined,
    look: (page: Page, visited: Visit) => Promise<unknown>,
    options: VisitOptions = {},
  ): Promise<void> {
    const visited = await visit(browser, address, options);
    const token = who === undefined || who.startsWith('eyJ') ? who : tokenOf(who);
    await visited.page.goto(`${address}${path}${token === undefined ? '' : `#token=${token}`}`);
    await lookAt(visited, (page) => look(page, visited));
  }
  return { service, address, browser, people, tokenOf, open };
}

/** Returns the text of the file that a press of a button writes; the browser may be on another machine. */
export async function downloadedCsv(page: Page, button = 'Download as CSV'): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await buffer(await (await download).createReadStream());
  return file.toString('utf8');
}

/** Answers what the page asks before something is lost, and returns the question. @param answer No: keeps it, by the first button */
export async function answerQuestion(page: Page, answer: 'Yes' | 'No'): Promise<string> {
  const question = page.getByRole('alertdialog');
  const text = (await question.getAttribute('aria-label')) ?? '';
  await question
    .getByRole('button')
    .nth(answer === 'No' ? 0 : 1)
    .click();
  await question.waitFor({ state: 'detached' });
  return text;
}

/** Tells whether the browser would ask before the page is left. It is not left: a browser that is closed while it asks may crash. */
export const asksBeforeLeaving = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Signs out by the menu of the account. */
export async function signOut(page: Page, say: (text: string) => string = (text) => text): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${say('Account')}`) }).click();
  await page.getByRole('button', { name: say('Sign out'), exact: true }).click();
}

/** Follows the link of a policy in their list, once no warning can come any more that moves it away. */
export async function openPolicy(page: Page, name: string): Promise<void> {
  await page.locator('main [aria-busy=false]').waitFor();
  await page.getByRole('link', { name }).click();
}

/** An answer of the service to a token that has expired. */
export const TOKEN_EXPIRED = {
  status: 401,
  json: { success: false, message: 'The access token has expired.', code: 'INVALID_TOKEN', requestId: 'x' },
};

/** Has the service answer a page's next requests to a path as if the token had expired. */
export async function refuseToken(
  page: Page,
  { path = '/api/users/update-profile', times = 1 }: { path?: string; times?: number } = {},
): Promise<void> {
  await intercept(page, `**${path}`, (route) => route.fulfill(TOKEN_EXPIRED), times);
}
