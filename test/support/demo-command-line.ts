import { join } from 'node:path';
import { TEST_SECRET } from './build-test-app.ts';
import { buildCommandLine, type CommandLine, type Settings } from './command-line.ts';
import { makeDataFolder } from './data-folders.ts';
import { addCountry, openDemoDatabaseWithCountry, testDatabaseKind } from './test-database.ts';

/** The program, and a database with the demo companies and a single country: on a server, or in its data folder. */
export interface DemoCommandLine extends AsyncDisposable {
  commandLine: CommandLine;
  settings: Settings;
}

/** Disposing of it ends what the program has started, and removes the database. */
export async function openDemoCommandLine(): Promise<DemoCommandLine> {
  const commandLine = buildCommandLine();
  const server = testDatabaseKind === 'postgres' ? await openDemoDatabaseWithCountry() : undefined;
  const DATA_DIR = join(commandLine.folder, 'data');
  if (!server) await makeDataFolder(DATA_DIR, 'demo', addCountry);
  return {
    commandLine,
    settings: { DATA_DIR, ...(server?.url && { DATABASE_URL: server.url, JWT_SECRET: TEST_SECRET }) },
    async [Symbol.asyncDispose]() {
      await commandLine[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    },
  };
}
