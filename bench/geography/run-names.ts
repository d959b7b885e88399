import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineInWords } from '../support/medians.ts';
import { measureAlternateNames } from './alternate-names.ts';
import { namesReport } from './report.ts';
import { timeTypedNames } from './searches.ts';

/* What alternate names cost: a start, memory at rest, and searches for them. */
const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '12' },
    record: { type: 'boolean', default: false },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
const cost = await measureAlternateNames(folder, Number(values.starts));
const options = process.argv.slice(2).join(' ');
const text = [
  '# Alternate names of places',
  `Command: \`npm run bench:names${options === '' ? '' : ` -- ${options}`}\`. Machine: ${machineInWords()}.`,
  namesReport(cost, timeTypedNames(Number(values.rounds))),
].join('\n\n');
process.stdout.write(`${text}\n`);
if (values.record) {
  await writeFile(fileURLToPath(new URL('../results/alternate-names.md', import.meta.url)), `${text}\n`);
}
