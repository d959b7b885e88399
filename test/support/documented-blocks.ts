import { readFileSync } from 'node:fs';

/** Returns the blocks of a language in a section of a page of the documentation, or in the whole page. */
export function blocksIn(page: string, language: string, section?: string): string[] {
  const text = readFileSync(page, 'utf8');
  const part =
    section === undefined ? text : (text.split(/^##+ /m).find((each) => each.startsWith(`${section}\n`)) ?? '');
  return [...part.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}
