import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { type Group, runFiles } from '../support/run-files.ts';
import { makePostgresTemplates, writePGliteTemplates } from '../support/templates.ts';
import { chooseFiles } from '../support/where-files-run.ts';
import type { Mutation } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';

/*
 * Breaks one rule after the other in the sources, and looks whether the tests notice: `npm run long -- mutations [PART OF A RULE]...`
 * The sources are put back each time. Ends with 1 where a rule can be broken unnoticed, or where its text is not there any more.
 * All of them, noticed, write docs/results/mutations.md.
 */
const NOTICED = 'noticed';
const COLUMNS = ['rule', 'outcome', 'tests'];
const HEAD = `# Rules broken on purpose

Command: \`npm run long -- mutations\`. Machine: ${machineInWords()}.

Each rule was broken in the sources, and the named tests had to fail.

`;

const parts = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ rule }) => parts.length === 0 || parts.some((part) => rule.includes(part)));
const stop = new AbortController();
let undo = () => {};
process.once('exit', () => undo());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    stop.abort();
    process.exit(1);
  });
}

// The databases are those of the sources as they are: made once, and copied by each test file.
await using server = await startPostgresServer();
await using templates = await makePostgresTemplates(server.url);
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-pglite-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
if (chosen.some(({ database }) => database === 'pglite')) await writePGliteTemplates(folder);
const SETTINGS = {
  postgres: { TEST_DATABASE: 'postgres', TEST_POSTGRES_URL: server.url, TEST_POSTGRES_TEMPLATES: templates.prefix },
  pglite: { TEST_DATABASE: 'pglite', TEST_PGLITE_TEMPLATES: folder },
};

const rows: string[][] = [];
for (const mutation of chosen) {
  const outcome = await outcomeOf(mutation);
  process.stdout.write(`${mutation.rule}: ${outcome}\n`);
  rows.push([mutation.rule, outcome, mutation.tests.join(', ')]);
}
const noticed = rows.filter(([, outcome]) => outcome?.startsWith(NOTICED));
process.stdout.write(`\n${noticed.length} of ${chosen.length} broken rules are noticed\n`);
if (noticed.length < chosen.length) process.exitCode = 1;
else if (chosen.length === MUTATIONS.length)
  writeFileSync('docs/results/mutations.md', `${HEAD}${markdownTable(COLUMNS, rows)}\n`);

async function outcomeOf({ file, found, replaced, tests, database }: Mutation): Promise<string> {
  const source = readFileSync(file, 'utf8');
  if (!source.includes(found)) return `${file} does not have its text any more`;
  undo = () => writeFileSync(file, source);
  const kind = database ?? 'postgres';
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const files = chooseFiles({ parts: tests, all: true, only: kind });
  const groups: Group[] = [
    { name: 'without a database', files: files.withoutDatabase },
    { name: kind, files: files[kind], settings: Promise.resolve(SETTINGS[kind]) },
  ];
  try {
    writeFileSync(
      file,
      source.replace(found, () => replaced),
    );
    const tallies = await runFiles(groups, stop.signal, { write });
    const count = (of: 'passed' | 'failed') => tallies.reduce((sum, tally) => sum + tally[of], 0);
    const failed = count('failed');
    if (failed + count('passed') === 0 || output.includes('could not be run'))
      return `the tests could not be run:\n${output}`;
    return failed > 0 ? `${NOTICED} by ${failed} tests` : `NOT NOTICED\n${output}`;
  } finally {
    undo();
  }
}
