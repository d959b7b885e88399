import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED_PAGES } from '../../support/generated-pages.ts';

const projectFile = (path: string) => new URL(`../../../${path}`, import.meta.url);

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

for (const [path, text] of Object.entries(GENERATED_PAGES)) {
  test(`the page ${path} matches the code`, () => {
    assert.ok(readFileSync(projectFile(path), 'utf8') === text(), `${path} is not what the code says: npm run docs`);
  });

  if (!path.endsWith('.md')) continue;
  test(`the page ${path} links only to existing pages and headings`, () => {
    const links = [...text().matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)];
    assert.ok(links.length > 0);
    for (const [link, page = '', anchor] of links) {
      const file = projectFile(`docs/${page}`);
      assert.ok(existsSync(file), link);
      if (anchor !== undefined) assert.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), link);
    }
  });
}
