import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A file of results in sections, each written by a command of its own. */
export interface ResultsFile {
  /** From the folder of the project. */
  path: string;
  /** What stands before the sections. */
  head: string;
  /** Of all sections, in their order: `## The disk`. */
  headings: readonly string[];
}

/** Puts a section, which begins with its heading, into the place of the earlier one; the others stay. */
export function recordSection({ path, head, headings }: ResultsFile, section: string): void {
  const earlier = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const latest = new Map([...earlier, section].map((each) => [each.split('\n', 1)[0], each.trimEnd()]));
  const inOrder = headings.flatMap((heading) => latest.get(heading) ?? []);
  writeFileSync(path, `${[head, ...inOrder].join('\n\n')}\n`);
}
