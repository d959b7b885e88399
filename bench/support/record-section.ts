import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A file of results in sections, each written by a command of its own. */
export interface ResultsFile {
  /** From the folder of the project. */
  path: string;
  /** What stands before the sections. */
  head: string;
  /** The parts that the sections are of, in their order. */
  parts: readonly string[];
}

/** The heading of the section of a part. */
export function headingOf(part: string): string {
  return `## The ${part}`;
}

/** Puts a section, which begins with its heading, into the place of the earlier one; the others stay. */
export function recordSection({ path, head, parts }: ResultsFile, section: string): void {
  const earlier = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const latest = new Map([...earlier, section].map((each) => [each.split('\n', 1)[0], each.trimEnd()]));
  const inOrder = parts.flatMap((part) => latest.get(headingOf(part)) ?? []);
  writeFileSync(path, `${[head, ...inOrder].join('\n\n')}\n`);
}
