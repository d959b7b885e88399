import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults, assertBecomes } from './browser.ts';

/** Texts of tables and buttons that are cut off, and that no scrolling brings into sight. */
export const cutOff = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const cell of document.querySelectorAll<HTMLElement>('main :is(td, th, button)')) {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const text = range.getBoundingClientRect();
      // The head of a table whose rows are cards is there for those who listen.
      const isForListeners = (cell.closest('thead')?.clientWidth ?? 2) < 2;
      if (text.width < 2 || isForListeners) continue;
      for (let around: HTMLElement | null = cell; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        const { left, right } = around.getBoundingClientRect();
        const isCut = overflowX === 'hidden' || overflowX === 'clip' || around === document.documentElement;
        if (isCut && (text.right > right + 1 || text.left < left - 1)) found.push(cell.textContent ?? '');
      }
    }
    return found;
  });

/** What could be pressed if nothing lay over it, or if one could scroll to it: of the question or dialog where one is open, else of the page. */
export const covered = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const open = ['alertdialog', 'dialog'].map((role) => document.querySelector(`[role=${role}]`));
    const around = open[0] ?? open[1] ?? document.body;
    for (const element of around.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, [tabindex="0"]',
    )) {
      // The link to the content is there for the keyboard alone.
      const isShown =
        element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [href="#content"]');
      if (!isShown) continue;
      // A switch is drawn by its label.
      const drawn = element.matches('[type=checkbox]')
        ? ((element as HTMLInputElement).labels?.[0] ?? element)
        : element;
      drawn.scrollIntoView({ block: 'center', inline: 'center' });
      // A link whose first word has no room on a line begins there with an empty part.
      const part = [...drawn.getClientRects()].find((rect) => rect.width > 0);
      const { left, top, width, height } = part ?? new DOMRect();
      // A place that scrolls may be larger than the screen.
      const [x, y] = [Math.min(left + width / 2, innerWidth - 1), Math.min(top + height / 2, innerHeight - 1)];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(drawn.contains(hit) || hit.closest('label')?.contains(drawn))) {
        found.push(`${element.ariaLabel ?? element.textContent} under ${hit?.outerHTML.slice(0, 120)}`);
      }
    }
    scrollTo(0, 0);
    return found;
  });

/** Nothing of a page is wider than the screen, cut off or covered, once it has taken the size of the screen. */
export async function assertVisible(page: Page, where: string): Promise<void> {
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await assertBecomes(beyond, 0, `${where}: wider than the screen`);
  await assertBecomes(() => cutOff(page), [], `${where}: cut off`);
  await assertBecomes(() => covered(page), [], `${where}: covered`);
}

/** The same, and no fault that axe-core finds. */
export async function assertVisibleAndAccessible(page: Page, where: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], `${where}: not accessible`);
  await assertVisible(page, where);
}
