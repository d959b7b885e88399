import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { openConsole } from './console.ts';
import { expectSound } from './reach.ts';

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
}

const WIDTHS = [390, 834, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** Declares a test for each day and width: all is within reach, axe-core finds no fault, and the page complains of nothing. */
export function itLivesTheDays({ open }: Awaited<ReturnType<typeof openConsole>>, days: readonly Day[]): void {
  describe('the working day', () => {
    for (const [at, { role, path, who, day }] of days.entries()) {
      for (const [turn, width] of WIDTHS.entries()) {
        // Each width in both colours over the roles, and each role in both.
        const colorScheme = SCHEMES[(at + turn) % 2] ?? 'light';
        const look = (page: Page) => (where: string) => expectSound(page, where);
        it(`of ${role}, ${width} pixels, ${colorScheme}`, () =>
          open(path, who, (page) => day(page, { look: look(page), name: `Of ${role} at ${width}` }), {
            ...{ width, colorScheme },
          }));
      }
    }
  });
}

/** Where it is not there all the time. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
}

/** By the menu. */
export async function go(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name, exact: true }).click();
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
