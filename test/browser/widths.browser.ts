import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { covered, cutOff } from './visible.ts';

const { open } = await openConsole();
const ADMIN = 'admin@acme.example';

const PAGES = [
  '/overview',
  '/profile',
  '/people',
  '/people/chart',
  '/departments',
  '/departments/bookings',
  '/policies',
  '/history',
];
const WIDTHS = [320, 390, 768, 1024, 1440, 1920];
const COLOURS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** Texts in the colour of their ground. */
const unseen = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const { parentElement: around, textContent } = texts.currentNode;
      const isShown = around?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!around || !isShown || !textContent?.trim()) continue;
      let ground: Element | null = around;
      while (ground && /^transparent$|, 0\)$/.test(getComputedStyle(ground).backgroundColor))
        ground = ground.parentElement;
      const behind = ground ? getComputedStyle(ground).backgroundColor : 'rgb(255, 255, 255)';
      if (getComputedStyle(around).color === behind) found.push(textContent);
    }
    return found;
  });

describe('each page at six widths in light, dark and forced colours', () => {
  for (const path of PAGES) {
    it(`nothing of ${path} scrolls sideways, is cut off, covered or unseen`, () =>
      open(path, ADMIN, async (page) => {
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await assertBecomes(() => page.locator('main [aria-busy=true]').count(), 0);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          await assertBecomes(beyond, 0, `${width}: wider than the screen`);
          await assertBecomes(() => covered(page), [], `${width}: covered`);
          for (const colours of COLOURS) {
            await page.emulateMedia(colours);
            const where = `${width}, ${colours.colorScheme}, forced colours ${colours.forcedColors}`;
            await assertBecomes(() => unseen(page), [], `${where}: unseen`);
            await assertBecomes(() => cutOff(page), [], `${where}: cut off`);
            await assertBecomes(beyond, 0, `${where}: wider than the screen`);
            if (width === 390) assert.deepEqual(await accessibilityFaults(page, ['color-contrast']), [], where);
          }
        }
      }));
  }
});
