import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { anchorOf, guideFiles, SECTIONS, titleOf, withAnchors } from '../../guides.ts';

/* The site of one version: `build.ts` lays its pages out in `pages/`, and says where they are served. */
const { SITE_BASE: base = '/', SITE_VERSION: version = '' } = process.env;
const files = guideFiles('pages');

/** What is used here of markdown-it. */
interface Token {
  type: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
}
interface Markdown {
  core: {
    ruler: { push(name: string, rule: (state: { env: { relativePath?: string }; tokens: Token[] }) => void): void };
  };
  render(text: string, env?: object): string;
}

// biome-ignore lint/style/noDefaultExport: VitePress reads it so.
export default {
  title: 'orgdesk',
  description: 'Who works where, what each may book, and who approves it',
  base,
  srcDir: 'pages',
  outDir: process.env.SITE_OUTPUT,
  cleanUrls: true,
  metaChunk: true,
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown: Markdown) {
      markdown.core.ruler.push('links-to-pages-alone', ({ env, tokens }) => {
        for (const { children } of tokens) if (children) unlink(children, env.relativePath ?? '');
      });
      const render = markdown.render.bind(markdown);
      markdown.render = (text, env) => withAnchors(render(text, env));
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/client' },
      { text: version, link: base.replace(/[^/]+\/$/, ''), target: '_self' },
    ],
    sidebar: Object.entries(SECTIONS).map(([folder, text]) => ({
      text,
      collapsed: folder !== '.',
      items: files
        .filter((file) => file.endsWith('.md') && file !== 'index.md' && posix.dirname(file) === folder)
        .sort()
        .map((file) => ({
          text: titleOf(file, readFileSync(`pages/${file}`, 'utf8')),
          link: `/${file.replace(/\.md$/, '')}`,
        })),
    })),
  },
};

/** Takes the links to files of the repository that are no page: their words stay. */
function unlink(tokens: Token[], page: string): void {
  let gone = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type === 'link_open') {
      const href = token.attrGet('href') ?? '';
      const file = posix.join(posix.dirname(page), href.replace(/#.*/, ''));
      gone = !/^(?:[a-z]+:|#)/i.test(href) && !files.includes(file) && !/^\/?openapi\.json$/.test(href);
      if (gone) tokens.splice(at--, 1);
    } else if (token?.type === 'link_close' && gone) {
      tokens.splice(at--, 1);
    }
  }
}
