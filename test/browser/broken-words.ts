import type { Page } from 'playwright-core';

/** Words of a page that stand on two lines without a hyphen, and so are broken in their middle. */
export const brokenWords = (page: Page) =>
  page.evaluate(() => {
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
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
        if (tops.some((top) => Math.abs(top - (tops[0] ?? top)) > 3)) found.push(word);
      }
    }
    return found;
  });
