import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { once } from '../../http/response/compressed-once.ts';
import { programFile } from '../../lib/program-files.ts';
import { escaped, guidePage, HTML } from './guide-page.ts';

/** Markdown sources of the guides, shipped with the program. */
const FOLDER = programFile('docs/');
const INDEX = '/docs/guides';
/** Headings by folder; the guides are in the top one. */
const SECTIONS = { '.': 'Guides', results: 'Results', decisions: 'Decisions' };

/** A document or image, with its request path. */
export interface Guide {
  path: string;
  type: string;
  read: () => Promise<string | Buffer>;
}

/** Returns each page of `docs/` as HTML, rendered on first request, their images, and an index at `/docs/guides`. */
export function findGuides(): Guide[] {
  const files = filesIn(FOLDER);
  const pages = files.filter((file) => file.endsWith('.md'));
  return [
    { path: INDEX, type: HTML, read: once(() => indexOf(pages)) },
    ...pages.map((file) => ({ path: pathOf(file), type: HTML, read: once(() => render(file, files)) })),
    ...files
      .filter((file) => file.endsWith('.png'))
      .map((file) => ({ path: `/docs/${file}`, type: 'image/png', read: () => readFile(new URL(file, FOLDER)) })),
  ];
}

function filesIn(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch {
    // The guides may be left out; the API is documented all the same.
    return [];
  }
}

const pathOf = (file: string) => `/docs/${file.replace(/\.md$/, '')}`;

async function textOf(file: string): Promise<{ title: string; text: string }> {
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  return { title: /^# (.*)$/m.exec(text)?.[1] ?? file, text };
}

async function indexOf(pages: readonly string[]): Promise<string> {
  const sections = Object.entries(SECTIONS).map(async ([folder, name]) => {
    const listed = pages.filter((file) => posix.dirname(file) === folder).sort();
    const items = listed.map(async (file) => {
      const { title } = await textOf(file);
      return `<li><a href="${pathOf(file)}">${escaped(title)}</a></li>\n`;
    });
    return listed.length === 0 ? '' : `<h2>${name}</h2>\n<ul>\n${(await Promise.all(items)).join('')}</ul>\n`;
  });
  return guidePage('Guides', `<h1>orgdesk</h1>\n${(await Promise.all(sections)).join('')}`);
}

/** @param files those that links may lead to */
async function render(file: string, files: readonly string[]): Promise<string> {
  const { Marked } = await import('marked');
  const { title, text } = await textOf(file);
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const anchor = anchorOf(words);
        const before = anchors.get(anchor) ?? 0;
        anchors.set(anchor, before + 1);
        return `<h${depth} id="${before === 0 ? anchor : `${anchor}-${before}`}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = targetOf(file, href, files);
        return target === undefined ? words : `<a href="${escaped(target)}">${words}</a>`;
      },
      image: ({ href, text: words }) =>
        `<img src="${escaped(targetOf(file, href, files) ?? '')}" alt="${escaped(words)}">`,
    },
  });
  return guidePage(title, withPlaces(await marked.parse(text)));
}

/** Returns the target of a link on a page; undefined if that file is not served. */
function targetOf(page: string, href: string, files: readonly string[]): string | undefined {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(page), path);
  if (file === '../openapi.json') return '/openapi.json';
  if (!files.includes(file)) return undefined;
  return `${pathOf(file)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Adds anchors to table cells, named by the upper-case word that the row explains: error codes, settings. */
function withPlaces(html: string): string {
  const known = new Set<string>();
  return html.replace(/<td><code>([A-Z][A-Z_]+)<\/code>/g, (cell, word: string) => {
    if (known.has(word)) return cell;
    known.add(word);
    return `<td id="${word}"><code>${word}</code>`;
  });
}
