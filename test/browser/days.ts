import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { brokenWords } from './broken-words.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import type { openConsole } from './console.ts';
import { type Say, sayIn } from './say.ts';
import { assertVisible } from './visible.ts';

/** Somebody's working day in the console. */
export interface Day {
  role: string;
  path: string;
  /** As the console is opened. */
  who: string;
  day: (page: Page, at: Stop) => Promise<void>;
}

export interface Stop {
  /** Looks at what is shown. */
  look: (where: string) => Promise<void>;
  /** For what is made on this day and no other. */
  name: string;
  say: Say;
}

const WIDTHS = [390, 834, 1440];
const LIVES = [
  { locale: 'en-IN', colorScheme: 'light' },
  { locale: 'de-DE', colorScheme: 'dark' },
] as const;

/**
 * Declares a test for each day in each language, at one of the widths, where axe-core finds no fault and the page complains of nothing. At
 * all widths everything can be reached and no word is broken.
 */
export function itLivesTheDays({ open }: Awaited<ReturnType<typeof openConsole>>, days: readonly Day[]): void {
  describe('the working day', () => {
    for (const [at, { role, path, who, day }] of days.entries()) {
      for (const [turn, { locale, colorScheme }] of LIVES.entries()) {
        const own = WIDTHS[(at + turn) % WIDTHS.length] ?? 390;
        const say = sayIn(locale);
        const look = (page: Page) => async (where: string) => {
          await closeNotices(page, say);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            await assertVisible(page, `${where} at ${width}`);
            await assertBecomes(() => brokenWords(page), [], `${where} at ${width}: broken words`);
          }
          await page.setViewportSize({ width: own, height: 900 });
          assert.deepEqual(await accessibilityFaults(page), [], `${where} at ${own}: not accessible`);
        };
        it(`the working day of ${role} in ${locale} at ${own} pixels has no fault and no broken word`, () =>
          open(path, who, (page) => day(page, { look: look(page), name: `Of ${role} in ${locale}`, say }), {
            ...{ width: own, colorScheme, locale },
          }));
      }
    }
  });
}

/** Closes the notices of success: they cover buttons for seconds. */
async function closeNotices(page: Page, say: Say): Promise<void> {
  const close = page.getByRole('status').getByRole('button', { name: say('Close'), exact: true });
  // A notice that has gone meanwhile is not waited for.
  await close.evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  });
  await close.first().waitFor({ state: 'detached' });
}

/** Where it is not there all the time. */
export async function openMenu(page: Page, say: Say): Promise<void> {
  const menu = page.getByRole('button', { name: say('Menu') });
  if (await menu.isVisible()) await menu.click();
}

/** By the menu. */
export async function go(page: Page, say: Say, name: string): Promise<void> {
  await openMenu(page, say);
  const pages = page.getByRole('navigation', { name: say('Pages'), exact: true });
  await pages.getByRole('link', { name: say(name), exact: true }).click();
}

export const dialogOf = (page: Page) => page.getByRole('dialog');
export const table = (page: Page) => page.getByRole('table').waitFor();
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** Presses a button, of a row where that is named, and then the one of that name in the question that it asks. */
export async function confirm(page: Page, name: string, row?: string): Promise<void> {
  const around = row === undefined ? page : page.getByRole('row').filter({ hasText: row });
  await around.getByRole('button', { name }).first().click();
  await dialogOf(page).getByRole('button', { name }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** Sends the form of the dialog, which then goes. */
export async function send(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}
