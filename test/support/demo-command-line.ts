import assert from 'node:assert/strict';
import { join } from 'node:path';
import { TEST_SECRET } from './build-test-app.ts';
import { buildCommandLine, type CommandLine, type Ended, type Settings } from './command-line.ts';
import { makeDataFolder } from './data-folders.ts';
import { openDemoDatabase, testDatabaseKind } from './test-database.ts';

/** The program, and a database with the demo companies and a single country: on a server, or in its data folder. */
export interface DemoCommandLine extends AsyncDisposable {
  commandLine: CommandLine;
  settings: Settings;
  run(...words: string[]): Promise<Ended>;
  /** The output of a command that succeeds and has nothing to complain about. */
  outputOf(...words: string[]): Promise<string>;
}

/** Disposing of it ends what the program has started, and removes the database. */
export async function openDemoCommandLine(): Promise<DemoCommandLine> {
  const commandLine = buildCommandLine();
  const server = testDatabaseKind() === 'postgres' ? await openDemoDatabase() : undefined;
  const DATA_DIR = join(commandLine.folder, 'data');
  if (!server) await makeDataFolder(DATA_DIR, 'demo');
  const settings = { DATA_DIR, ...(server?.url && { DATABASE_URL: server.url, JWT_SECRET: TEST_SECRET }) };
  const run = (...words: string[]) => commandLine.run(words, settings);
  return {
    commandLine,
    settings,
    run,
    async outputOf(...words) {
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 0, words.join(' '));
      assert.match(stderr, /^(Database: [^@\n]+\n)?$/, words.join(' '));
      return stdout;
    },
    async [Symbol.asyncDispose]() {
      await commandLine[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    },
  };
}
