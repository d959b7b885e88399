import type { Page } from 'playwright-core';

/** More letters than a line of a phone has room for, or any word of the console: names of other tests on the same service. */
const MAX_LETTERS = 40;

/** Returns the words of a page that are broken in their middle: they stand on two lines without a hyphen. */
export const brokenWords = (page: Page) =>
  page.evaluate((maxLetters) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const around = node.parentElement;
      if (
        !around?.checkVisibility({ visibilityProperty: true }) ||
        around.closest('script, style, select, textarea, code')
      )
        continue;
      // Lines may be broken behind these marks.
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[^\s\-‐–—/?&=|,;:…]+/g)) {
        if (word.length > maxLetters) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
        if (tops.some((top) => Math.abs(top - (tops[0] ?? top)) > 3)) found.push(word);
      }
    }
    return found;
  }, MAX_LETTERS);
