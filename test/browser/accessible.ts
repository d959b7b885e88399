import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import type { openConsole } from './console.ts';
import type { PageState } from './states.ts';
import { cutOff } from './visible.ts';

type Open = Awaited<ReturnType<typeof openConsole>>['open'];

/** Declares a test for each of the states: no fault in light, dark and forced colours, on a screen, a tablet and a phone; nothing scrolls sideways, also not with text at 200 %. */
export function itHasNoFault(open: Open, states: readonly PageState[]): void {
  for (const { name, path, who, enter } of states) {
    it(`axe-core finds no fault on this page or dialog: ${name}`, () =>
      open(path, who, async (page) => {
        await enter(page);
        const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        for (const [width, colorScheme, rules] of [
          [834, 'light'],
          [1440, 'dark'],
          // Colours change contrasts alone.
          [390, 'dark', ['color-contrast']],
          [390, 'light'],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
          assert.deepEqual(await accessibilityFaults(page, rules), [], `${width} ${colorScheme}`);
          await assertBecomes(sideways, 0, `${width}: wider than the screen`);
        }
        await page.emulateMedia({ forcedColors: 'active' });
        assert.deepEqual(await accessibilityFaults(page), [], 'colours of the system');
        await page.emulateMedia({ forcedColors: 'none' });
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
        });
        await assertBecomes(sideways, 0, 'text at 200 %: wider than the screen');
        await assertBecomes(() => cutOff(page), [], 'text at 200 %: cut off');
      }));
  }
}
