import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { schemaVersions } from '../../src/db/migrator.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine, type Running, type Settings } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { openBlankDatabase } from '../support/test-database.ts';
import { makeToken, secretMaker } from '../support/token-makers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { landedSchema } from '../upgrade/landed.ts';

/* The service is started while nothing listens where its database server should be. */
const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const COUNTRIES = 250;

interface Away {
  settings: Settings;
  /** Starts to listen there. */
  comeBack(): Promise<TcpProxy>;
}

async function awayDatabase(url = ''): Promise<Away> {
  const address = new URL(url);
  const target = Number(address.port);
  const port = await freePort();
  address.port = String(port);
  const DATA_DIR = join(commandLine.folder, `away ${port}`);
  return {
    settings: {
      DATABASE_URL: address.href,
      DATA_DIR,
      JWT_SECRET: TEST_SECRET,
      PORT: String(await freePort()),
    },
    comeBack: () => startTcpProxy(target, port),
  };
}

interface Answer {
  status: number;
  retryAfter: string | null;
  body: { code?: string; message: string; data?: unknown[] };
}

function asker(running: Running, address: string): (path: string, token?: string) => Promise<Answer> {
  return async (path, token) => {
    const response = await fetch(address + path, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    const body = (await response.json()) as Answer['body'];
    assert.ok(response.status !== 500, running.log());
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };
}

const started = async (running: Running) => {
  const [, address = ''] = await running.said(/cannot be reached .*\n.* serves the public lists at (\S+),/);
  return asker(running, address);
};

const messages = (running: Running) =>
  running
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; reason?: string })
    .filter(({ msg }) => msg.startsWith('The database'));

async function assertPublicAlone(ask: Awaited<ReturnType<typeof started>>): Promise<void> {
  assert.equal((await ask('/livez')).status, 200);
  assert.equal((await ask('/api/countries/list')).body.data?.length, COUNTRIES);
  assert.equal((await ask('/api/cities/list?search=bogota')).status, 200);
  const ready = await ask('/readyz');
  assert.match(ready.body.message, /database down/);
  for (const { status, retryAfter, body } of [ready, await ask('/api/users/profile', makeToken(secretMaker()))]) {
    assert.deepEqual([status, body.code], [503, 'UNAVAILABLE']);
    assert.match(retryAfter ?? '', /^[12]$/);
  }
}

test('serve starts without its database, and migrates once the database is available', async () => {
  await using db = await openBlankDatabase();
  await db.transaction((transaction) => transaction.run(landedSchema()));
  const { settings, comeBack } = await awayDatabase(db.url);
  await using service = commandLine.start(['serve'], settings);
  const ask = await started(service);
  await assertPublicAlone(ask);

  await using _proxy = await comeBack();
  await service.said(/Bringing the schema from version 66 to \d+ …\n.*orgdesk is ready at/s);
  const { present, newest } = await schemaVersions(db);
  assert.equal(present, newest);
  await waitUntil('the service to be ready', async () => (await ask('/readyz')).status === 200);
  assert.equal((await ask('/api/countries/list')).body.data?.length, COUNTRIES);
  const { code, signal } = await service.kill('SIGTERM');
  assert.deepEqual([code, signal], [0, null]);
  const said = messages(service);
  assert.deepEqual(
    said.map(({ msg }) => msg),
    ['The database is unavailable: serving the public lists, and retrying', 'The database is available'],
  );
  assert.match(said[0]?.reason ?? '', /^The database server .* cannot be reached \(ECONNREFUSED\)/);
});

test('serve ends on a signal while it waits for its database', async () => {
  const { settings } = await awayDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  await using service = commandLine.start(['serve'], settings);
  await started(service);
  const { code, stderr } = await service.kill('SIGTERM');
  assert.deepEqual([code, stderr.includes('"msg":"Stopped"')], [0, true]);
});

test('serve ends on a signal while neither its database nor its identity provider answers', async () => {
  await using silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { settings } = await awayDatabase(`postgres://nobody@${address}/nowhere`);
  const provider = { JWT_SECRET: '', OIDC_ISSUER: `http://${address}`, TOKEN_AUDIENCE: 'orgdesk' };
  const DATABASE_URL = `postgres://nobody@${address}/nowhere`;
  await using service = commandLine.start(['serve'], { ...settings, ...provider, DATABASE_URL });
  await once(silent, 'connection');
  const { code, stderr } = await service.kill('SIGTERM');
  assert.deepEqual([code, stderr.includes('"msg":"Stopped"')], [0, true], stderr);
});

test('serve ends if the database that becomes available refuses the password', async () => {
  await using db = await openBlankDatabase();
  const address = new URL(db.url ?? '');
  address.password = 'wrong';
  const { settings, comeBack } = await awayDatabase(address.href);
  await using service = commandLine.start(['serve'], settings);
  await started(service);
  await using _proxy = await comeBack();
  const { code, stderr } = await service.ended;
  assert.equal(code, 1);
  assert.match(stderr, /^The database server .* refuses: password authentication failed/m);
});
