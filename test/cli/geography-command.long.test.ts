import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { buildCommandLine, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { openSeededDatabase, testDatabaseKind } from '../support/test-database.ts';

const commandLine = buildCommandLine();
const server = testDatabaseKind === 'postgres' ? await openSeededDatabase() : undefined;
const DATA_DIR = join(commandLine.folder, 'data');
const settings: Settings = { DATA_DIR, ...(server?.url && { DATABASE_URL: server.url }) };
if (!server) await makeDataFolder(DATA_DIR, 'seeded');
let service: Service | undefined;

after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

function geographyTest(where: string): void {
  test(`geography ${where}: finds all there and leaves it`, async () => {
    const all = '250 countries, 5324 states and 155132 cities are in the database.\n';
    const before = await geographyTag();
    const { code, stdout, stderr } = await commandLine.run(['geography'], settings);
    assert.deepEqual([code, stdout, stderr], [0, all, '']);
    assert.equal(await geographyTag(), before);
  });
}

async function geographyTag(): Promise<string | null | undefined> {
  return service && (await fetch(`${service.address}/api/cities/list?search=pune`)).headers.get('etag');
}

describe('commands', { concurrency: false }, () => {
  geographyTest('without a service');

  test('serve: starts where the geography has been looked at', async () => {
    service = await commandLine.serve(settings);
  });

  geographyTest('beside a service');
});
