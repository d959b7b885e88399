import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { openBlankDatabase, testDatabaseKind } from '../support/test-database.ts';
import { LANDED_SCHEMA, landedSchema } from '../upgrade/landed.ts';

/* What the program says at its start before it does what takes long. */
const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

/** A database as it is before a start. Disposing drops it. */
interface Before extends AsyncDisposable {
  settings: Settings;
}

/** @param schema is its schema; absent: there is none */
async function databaseBefore(name: string, schema?: string): Promise<Before> {
  const DATA_DIR = join(commandLine.folder, name);
  const prepare = async (db: Database) => {
    if (schema !== undefined) await db.transaction((transaction) => transaction.run(schema));
  };
  if (testDatabaseKind() === 'pglite') {
    await makeDataFolder(DATA_DIR, 'blank', prepare);
    return { settings: { DATA_DIR }, [Symbol.asyncDispose]: async () => undefined };
  }
  const db = await openBlankDatabase();
  await prepare(db);
  return {
    settings: { DATA_DIR, DATABASE_URL: db.url ?? '' },
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

/** Another program that has a port. */
async function listenSomewhere(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

test('serve with a port that is in use fails before it loads anything', async () => {
  await using other = await listenSomewhere();
  await using before = await databaseBefore('ports');
  for (const name of ['PORT', 'METRICS_PORT']) {
    const { code, stdout, stderr } = await commandLine.run(['serve'], { ...before.settings, [name]: `${other.port}` });
    assert.deepEqual([code, stdout], [1, '']);
    const taken = `Port ${other.port} on 127.0.0.1 is taken by another program: set ${name} to a free one.\n`;
    assert.equal(stderr, taken);
  }
  const { stderr } = await commandLine.run(['token', 'a@b.example'], before.settings);
  assert.match(stderr, /^The database has no schema yet/);
});

test('serve with a port that is in use still reports an unavailable database', async () => {
  await using other = await listenSomewhere();
  const settings = { PORT: `${other.port}`, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' };
  const { code, stdout, stderr } = await commandLine.run(['serve'], settings);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /"reason":"The database server 127\.0\.0\.1:1\/nowhere cannot be reached \(ECONNREFUSED\)/);
});

test('serve and migrate on an older schema print the versions before they begin', async () => {
  await using before = await databaseBefore('older', landedSchema());
  const starting = commandLine.start(['serve'], before.settings);
  const [said] = await starting.said(/^.*\n/);
  await starting.kill('SIGKILL');
  const begun = `Bringing the schema from version ${LANDED_SCHEMA} to \\d+ …\\n`;
  assert.match(said, new RegExp(`^${begun}`));

  await using again = await databaseBefore('older still', landedSchema());
  const { code, stdout, stderr } = await commandLine.run(['migrate'], again.settings);
  assert.equal(code, 0);
  assert.match(stderr, /^Database: [^@]+\n$/);
  assert.match(stdout, new RegExp(`^${begun}Applied 0067 .*\\.\\n$`));
});
