import { join } from 'node:path';
import { after, it } from 'node:test';
import { loseAnswers } from '../administration/long/lost-answers.ts';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { addCountry, openDemoDatabaseWithCountry, testDatabaseKind } from '../support/test-database.ts';

/** `npm run test:administration` does many more. */
const ROUNDS = 4;

const commandLine = buildCommandLine();
const server = testDatabaseKind === 'postgres' ? await openDemoDatabaseWithCountry() : undefined;
const DATA_DIR = join(commandLine.folder, 'data');
const settings: Settings = { DATA_DIR, LOG_LEVEL: 'warn', ...(server?.url && { DATABASE_URL: server.url }) };
if (!server) await makeDataFolder(DATA_DIR, 'demo', addCountry);

after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

it(`a create that is repeated after its answer was lost makes one thing, ${ROUNDS} times`, async () => {
  await loseAnswers(commandLine, settings, ROUNDS);
});
