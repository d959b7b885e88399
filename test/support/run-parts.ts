import { parseArgs } from 'node:util';
import { machineInWords } from '../../bench/support/medians.ts';
import { headingOf, recordSection } from '../../bench/support/record-section.ts';
import { countFailures, tellFailure } from '../faults/try-often.ts';
import { DATABASES, type DatabaseKind } from './installed.ts';

/** A script of proofs that take long. */
export interface Proofs<Size extends string, Given extends string> {
  /** Such as `provisioning`: of `npm run long -- provisioning`, and of the file of its results in docs/results. */
  name: string;
  title: string;
  /** How much is tried, by the name of the option that makes it less. */
  full: Readonly<Record<Size, number>>;
  /** Other numbers that may be chosen, as they are without. */
  given?: Readonly<Record<Given, number>>;
  /** Each gives rows of a table: what was tried, how often it held, and what was seen. */
  parts: (
    numbers: Readonly<Record<Size | Given, number>>,
  ) => Readonly<Record<string, (kind: DatabaseKind) => Promise<string[]>>>;
}

/**
 * Runs a script's parts on both databases, prints what they give, and ends with 1 where one does not hold. `--only` with some of a part's
 * name and `--database server` run less. A part that has held at full size on both databases is written to the file of results.
 */
export async function runParts<Size extends string, Given extends string = never>({
  name,
  title,
  full,
  given,
  parts,
}: Proofs<Size, Given>): Promise<void> {
  const usual = { ...full, ...given } as Record<Size | Given, number>;
  const options = Object.fromEntries(
    [...Object.keys(usual), 'only', 'database'].map((option) => [option, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ options });
  const numbers = Object.fromEntries(
    Object.entries<number>(usual).map(([size, number]) => [size, Number(values[size] ?? number)]),
  ) as Record<Size | Given, number>;
  const isFull = Object.entries(full).every(([size, most]) => numbers[size as Size] === most);
  const all = Object.entries(parts(numbers));
  const results = {
    path: `docs/results/${name}.md`,
    head: `# ${title}\n\nEach part is written by the command that it names; \`npm run long -- ${name}\` tries all of them.`,
    parts: all.map(([part]) => part),
  };
  const chosen = all.filter(([part]) => part.includes(values.only ?? ''));
  const kinds = DATABASES.filter((kind) => kind === (values.database ?? kind));
  if (chosen.length === 0 || kinds.length === 0) throw new Error(`There are ${results.parts}, on ${DATABASES}.`);
  for (const [part, run] of chosen) {
    const rows: string[] = [];
    const failures = countFailures();
    for (const kind of kinds) {
      try {
        rows.push(...(await run(kind)));
      } catch (error) {
        tellFailure(`${part}; ${kind}`, error);
      }
    }
    const text = [
      headingOf(part),
      '',
      `Command: \`npm run long -- ${name} --only ${part.includes(' ') ? `'${part}'` : part}\`. Machine: ${machineInWords()}.`,
      '',
      '| what | held | seen |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n');
    process.stdout.write(`${text}\n\n`);
    const hasHeld = countFailures() === failures;
    if (isFull && kinds.length === DATABASES.length && hasHeld) recordSection(results, text);
  }
}
