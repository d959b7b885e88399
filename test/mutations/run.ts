import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startPostgresServer } from '../support/postgres-server.ts';
import { MUTATIONS, type Mutation } from './mutations.ts';

/*
 * Breaks one rule after the other in the sources, and looks whether the tests notice: `npm run test:mutations [-- PART OF A RULE]...`
 * The sources are put back each time. Ends with 1 where a rule can be broken unnoticed, or where its text is not there any more.
 */
const execute = promisify(execFile);
const TALLY = /^\d+ passed, (\d+) failed$/m;

const parts = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ rule }) => parts.length === 0 || parts.some((part) => rule.includes(part)));
let unnoticed = 0;
let undo = () => {};
process.once('exit', () => undo());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
await using server = await startPostgresServer();

for (const mutation of chosen) {
  const outcome = await outcomeOf(mutation);
  if (!outcome.startsWith('noticed')) unnoticed++;
  process.stdout.write(`${mutation.rule}: ${outcome}\n`);
}
process.stdout.write(`\n${chosen.length - unnoticed} of ${chosen.length} broken rules are noticed\n`);
process.exitCode = unnoticed > 0 ? 1 : 0;

async function outcomeOf({ file, found, replaced, tests, database }: Mutation): Promise<string> {
  const source = readFileSync(file, 'utf8');
  if (!source.includes(found)) return `${file} does not have its text any more`;
  undo = () => writeFileSync(file, source);
  try {
    writeFileSync(
      file,
      source.replace(found, () => replaced),
    );
    // Not in the way of the server, whose log comes to this process.
    const words = ['test', '--silent', '--', '--database', database ?? 'postgres', ...tests];
    const env = { ...process.env, TEST_POSTGRES_URL: server.url };
    const { stdout } = await execute('npm', words, { env, maxBuffer: 1e8 }).catch(
      (error) => error as { stdout: string },
    );
    const failed = Number(TALLY.exec(stdout)?.[1] ?? 0);
    if (stdout.includes('could not be run')) return `the tests could not be run:\n${stdout}`;
    return failed > 0 ? `noticed by ${failed} tests` : `NOT NOTICED\n${stdout}`;
  } finally {
    undo();
  }
}
