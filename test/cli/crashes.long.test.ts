import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { killAmidUpdates, makeWriters } from '../support/killed-service.ts';
import { addCountry, openDemoDatabaseWithCountry, testDatabaseKind } from '../support/test-database.ts';

/** `npm run test:faults -- --only kills` goes on for a hundred. */
const ROUNDS = 3;

const commandLine = buildCommandLine();
const server = testDatabaseKind === 'postgres' ? await openDemoDatabaseWithCountry() : undefined;
const DATA_DIR = join(commandLine.folder, 'data');
const settings: Settings = { DATA_DIR, LOG_LEVEL: 'warn', ...(server?.url && { DATABASE_URL: server.url }) };
if (!server) await makeDataFolder(DATA_DIR, 'demo', addCountry);

after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

test(`a service that is killed in the middle of updates, ${ROUNDS} times, has lost none that it had answered`, async () => {
  let service = await commandLine.serve(settings);
  const writers = await makeWriters(commandLine, settings);
  for (let round = 1; round <= ROUNDS; round++) {
    ({ service } = await killAmidUpdates(commandLine, settings, service, writers));
  }
  const { code } = await service.kill('SIGTERM');
  assert.equal(code, 0);
});
