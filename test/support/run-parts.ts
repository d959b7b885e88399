import { machineInWords } from '../../bench/support/medians.ts';
import { headingOf, recordSection } from '../../bench/support/record-section.ts';
import { DATABASES, type DatabaseKind } from './installed.ts';

/** A script of proofs that take long. */
export interface Proofs {
  /** Such as `provisioning`: of the script `test:provisioning`, and of the file of its results in docs/results. */
  name: string;
  title: string;
  /** Each gives rows of a table: what was tried, how often it held, and what was seen. */
  parts: Readonly<Record<string, (kind: DatabaseKind) => Promise<string[]>>>;
}

/**
 * Runs the parts whose name contains a text, on both databases or one of them, and prints what they give. What has held at full size is
 * written to the file of results.
 *
 * @param isFull whether nothing is made smaller
 */
export async function runParts(
  { name, title, parts }: Proofs,
  { only, database, isFull }: { only: string; database: string | undefined; isFull: boolean },
): Promise<void> {
  const results = {
    path: `docs/results/${name}.md`,
    head: `# ${title}\n\nEach part is written by the command that it names; \`npm run test:${name}\` tries all of them.`,
    parts: Object.keys(parts),
  };
  const chosen = Object.entries(parts).filter(([part]) => part.includes(only));
  const kinds = DATABASES.filter((kind) => kind === (database ?? kind));
  if (chosen.length === 0 || kinds.length === 0) throw new Error(`There are ${results.parts}, on ${DATABASES}.`);
  for (const [part, run] of chosen) {
    const rows: string[] = [];
    for (const kind of kinds) rows.push(...(await run(kind)));
    const text = [
      headingOf(part),
      '',
      `Command: \`npm run test:${name} -- --only ${part}\`. Machine: ${machineInWords()}.`,
      '',
      '| what | held | seen |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n');
    process.stdout.write(`${text}\n\n`);
    if (isFull && kinds.length === DATABASES.length && !process.exitCode) recordSection(results, text);
  }
}
