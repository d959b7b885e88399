import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/results/faults.md';
const HEAD =
  '# Faults\n\nEach part is written by the command that it names; `npm run test:faults` tries all of them.\n';

/**
 * Puts the results of a part into the place of its earlier ones; those of the others stay.
 *
 * @param text begins with the heading of the part, `## The name`
 * @param names of all parts, in their order
 */
export function recordResults(text: string, names: readonly string[]): void {
  const sections = [
    ...readFileSync(FILE, 'utf8')
      .split(/^(?=## )/m)
      .slice(1),
    text,
  ];
  const latest = new Map(sections.map((section) => [section.split('\n', 1)[0], section.trimEnd()]));
  const inOrder = names.flatMap((name) => latest.get(`## The ${name}`) ?? []);
  writeFileSync(FILE, `${[HEAD.trimEnd(), ...inOrder].join('\n\n')}\n`);
}
