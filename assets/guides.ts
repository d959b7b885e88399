import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked } from 'marked';

/** Headings of the index by folder; decision records are for readers of the repository alone. */
export const SECTIONS = { '.': 'Guides', results: 'Results' };

/** Writes each page of `docs/` as HTML, its images, and the index `guides.html`, into the folder `output`. */
export function writeGuides(docs: string, output: string): void {
  const files = guideFiles(docs);
  const pages = files.filter((file) => file.endsWith('.md'));
  rmSync(output, { recursive: true, force: true });
  for (const file of files.filter((name) => !name.endsWith('.md'))) cpSync(join(docs, file), join(output, file));
  const texts = new Map(pages.map((file) => [file, readFileSync(join(docs, file), 'utf8')]));
  const write = (name: string, html: string) => {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), html);
  };
  for (const [file, text] of texts) write(file.replace(/\.md$/, '.html'), render(file, text, files));
  write('guides.html', indexOf(texts));
}

/** Lists the pages below `docs`, and their images. */
export function guideFiles(docs: string): string[] {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('decisions') && /\.(?:md|png|webp)$/.test(file));
}

const pathOf = (file: string) => `/docs/${file.replace(/\.md$/, '')}`;
export const titleOf = (file: string, text: string) => /^# (.*)$/m.exec(text)?.[1] ?? file;

function indexOf(texts: ReadonlyMap<string, string>): string {
  const sections = Object.entries(SECTIONS).map(([folder, name]) => {
    const listed = [...texts].filter(([file]) => posix.dirname(file) === folder).sort();
    const items = listed.map(
      ([file, text]) => `<li><a href="${pathOf(file)}">${escaped(titleOf(file, text))}</a></li>\n`,
    );
    return `<h2>${name}</h2>\n<ul>\n${items.join('')}</ul>\n`;
  });
  return guidePage('Guides', `<h1>orgdesk</h1>\n${sections.join('')}`);
}

/** @param files those that links may lead to */
function render(file: string, text: string, files: readonly string[]): string {
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
  return guidePage(titleOf(file, text), withAnchors(marked.parse(text, { async: false })));
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
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Adds anchors to table cells, named by the upper-case word that the row explains: error codes, settings. */
export function withAnchors(html: string): string {
  const known = new Set<string>();
  return html.replace(/<td><code>([A-Z][A-Z_]+)<\/code>/g, (cell, word: string) => {
    if (known.has(word)) return cell;
    known.add(word);
    return `<td id="${word}"><code>${word}</code>`;
  });
}

/** Returns the HTML page around the text of a guide, without inline scripts or styles. */
function guidePage(title: string, html: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · orgdesk</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<header><a href="/docs">API</a> <a href="/docs/guides">Guides</a></header>
<main>
${html}</main>
</body>
</html>
`;
}

/** Escapes text for HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
