import type { Browser, Locator, Page } from 'playwright-core';
import type { BareBrowser } from './bare-browser.ts';
import { type Sight, slowVisit, timeKeys, timeUntil } from './moments.ts';

/** What is measured on. */
export interface Setting {
  browser: Browser;
  bare: BareBrowser;
  address: string;
  /** Of an admin of the company. */
  token: string;
  company: string;
  people: number;
}

/** Something that people wait for. */
interface Wait {
  what: string;
  /** Milliseconds at most. */
  goal?: number;
  /** @returns milliseconds; of several keys the slowest */
  measure: (setting: Setting, time: number) => Promise<number>;
}

const FIRST_PAGE = 1_000;
const KEY = 100;
/** Each is asked of the service, as none begins like another. */
const CITIES = ['bogo', 'nair', 'osak', 'lisb', 'pune', 'quit', 'rost'];
/** Hits of the first search come while the browser still compiles the code. */
const WARM_UP = 'zurich';

const count = { selector: '[data-testid=count]' };

/** Signs in on a page, and comes to an address. */
async function signedIn({ browser, address, token }: Setting, path: string): Promise<Page> {
  const page = await slowVisit(browser, address);
  await page.goto(`${address}${path}`);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  return page;
}

/** Measures on a page that one has signed in on, and closes it. */
function signed(
  path: string,
  measure: (page: Page, setting: Setting, time: number) => Promise<number>,
): Wait['measure'] {
  return async (setting, time) => {
    const page = await signedIn(setting, path);
    const found = await measure(page, setting, time);
    await page.context().close();
    return found;
  };
}

/** Keys in a box, each until it stands in it. */
async function keysIn(page: Page, box: Locator): Promise<number> {
  await box.fill('');
  await box.focus();
  await page.waitForTimeout(500);
  return Math.max(...(await timeKeys(page, 'nila4', (text) => ({ selector: ':focus', text }))));
}

/** Keys in the search in all cities, each until what it leads to is there. */
async function keysInCities(
  { browser, address }: Setting,
  time: number,
  sight: (typed: string) => Sight,
): Promise<number> {
  const page = await slowVisit(browser, address);
  await page.goto(`${address}/geography`);
  const box = page.getByLabel('Search all cities');
  await box.pressSequentially(WARM_UP, { delay: 100 });
  await box.fill('');
  await page.waitForTimeout(500);
  const found = Math.max(...(await timeKeys(page, CITIES[time % CITIES.length] ?? '', sight)));
  await page.context().close();
  return found;
}

const rows = (page: Page) => page.getByTestId('count').waitFor();
const indian = (number: number) => new Intl.NumberFormat('en-IN').format(number);

export const WAITS: readonly Wait[] = [
  { what: 'first page', goal: FIRST_PAGE, measure: ({ bare, address }) => bare.timeFirstPage(address) },
  {
    what: 'key in the search in all cities',
    goal: KEY,
    measure: (setting, time) => keysInCities(setting, time, (text) => ({ selector: ':focus', text })),
  },
  {
    what: 'key in the search in all cities, until its hits are there',
    goal: KEY,
    measure: (setting, time) =>
      keysInCities(setting, time, (text) => ({ selector: '[data-testid=found]', text: `\u2068${text}\u2069` })),
  },
  {
    what: 'key in the own profile',
    goal: KEY,
    measure: signed('/profile', (page) => keysIn(page, page.getByLabel('First name'))),
  },
  {
    what: 'key in the search of people, with 100 on the page',
    goal: KEY,
    measure: signed('/people?limit=100', async (page) => {
      await rows(page);
      return keysIn(page, page.getByLabel('Search', { exact: true }));
    }),
  },
  {
    what: 'key in the form of a person',
    goal: KEY,
    measure: signed('/people', async (page) => {
      await page.getByRole('button', { name: 'Add a person' }).click();
      return keysIn(page, page.getByRole('dialog').getByLabel('First name'));
    }),
  },
  {
    what: 'key in the way anywhere (Ctrl+K)',
    goal: KEY,
    measure: signed('/people', async (page) => {
      await rows(page);
      await page.keyboard.press('Control+k');
      return keysIn(page, page.getByRole('dialog').getByRole('searchbox'));
    }),
  },
  {
    what: 'list of all people',
    measure: signed('/profile', (page, { people }) => {
      const link = page.getByRole('link', { name: 'People', exact: true });
      return timeUntil(page, () => link.click(), { ...count, text: `1–25 of ${indian(people)}` });
    }),
  },
  {
    what: 'page 100 of the list',
    measure: signed('/people?page=99', async (page) => {
      await rows(page);
      const next = page.getByRole('button', { name: 'Next page' });
      return timeUntil(page, () => next.click(), { ...count, text: '2,476–2,500 of' });
    }),
  },
  {
    what: 'last page of the list',
    measure: signed('/people', async (page, { people }) => {
      await rows(page);
      const last = Math.ceil(people / 25);
      const button = page.getByRole('button', { name: `Page ${indian(last)} of ${indian(last)}` });
      return timeUntil(page, () => button.click(), { ...count, text: `–${indian(people)} of` });
    }),
  },
  {
    what: 'one person found by their address',
    measure: signed('/people', async (page, _, time) => {
      await rows(page);
      const box = page.getByLabel('Search', { exact: true });
      await box.pressSequentially(`person${1_000 + time}`, { delay: 30 });
      return timeUntil(page, () => page.keyboard.press('@'), { ...count, text: '1–1 of 1' });
    }),
  },
  {
    what: 'people found by two letters',
    measure: signed('/people', async (page, { people }) => {
      await rows(page);
      await page.getByLabel('Search', { exact: true }).pressSequentially('ü', { delay: 30 });
      // Every twelfth is a Jürgen, and nobody else has these letters.
      const all = indian(Math.floor((people + 2) / 12));
      return timeUntil(page, () => page.keyboard.press('r'), { ...count, text: `of ${all}` });
    }),
  },
  {
    what: 'page of a person',
    measure: signed('/people', async (page, _, time) => {
      await rows(page);
      const link = page.getByRole('cell').getByRole('link').nth(time);
      const text = (await link.textContent()) ?? '';
      return timeUntil(page, () => link.click(), { selector: 'h1', text });
    }),
  },
  {
    what: 'page of the company',
    measure: signed('/profile', (page, { people }) => {
      const link = page.getByRole('link', { name: 'Company', exact: true });
      return timeUntil(page, () => link.click(), { selector: 'dd', text: indian(people) });
    }),
  },
];
