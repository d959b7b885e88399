import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { explainError } from '../../src/commands/explain-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { isDatabaseUnavailable } from '../../src/db/database-errors.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

describe('the address of a server', () => {
  it('may hold settings of the server, beside those of a session', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    const address = new URL(own.url);
    address.searchParams.set('options', '-c search_path=elsewhere -c statement_timeout=1234');
    await using db = openPostgresDatabase({ url: address.href, maxConnections: 1 });
    const settings = sql`select current_setting('search_path') as path, current_setting('statement_timeout') as deadline`;
    assert.deepEqual(await db.query(settings), [{ path: 'elsewhere', deadline: '1234ms' }]);
    const inSession = await db.session((session) => session.query(settings));
    assert.deepEqual(inSession, [{ path: 'elsewhere', deadline: '0' }]);
  });

  it('may ask for TLS, without which there is no connection then', async () => {
    // What a server says that has no TLS.
    await using server = createServer((socket) => socket.once('data', () => socket.write('N')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `postgres://ana:secret@127.0.0.1:${port}/orgdesk?sslmode=require`;
    await using db = openPostgresDatabase({ url, maxConnections: 1 });
    const error: unknown = await db.query(sql`select 1`).catch((reason: unknown) => reason);
    assert.equal(isDatabaseUnavailable(error), true);
    const explained = String(explainError(error, readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET })));
    assert.match(explained, /cannot be reached \(The server does not support SSL connections\)\. Check DATABASE_URL/);
  });
});
