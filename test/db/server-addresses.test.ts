import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import sql, { raw } from 'sql-template-tag';
import { explainError } from '../../src/commands/explain-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { isDatabaseUnavailable } from '../../src/db/database-errors.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { isServerAddress } from '../../src/db/postgres/server-address.ts';
import { UserError } from '../../src/lib/errors.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

describe('the address of a server', () => {
  it('a database address may have settings of the server, in addition to those of a session', async () => {
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

  it('a database address that requires TLS fails on a server without TLS', async () => {
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

  it('a database address uses the last of two values and any database name, like libpq', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    const name = 'my db/ü?#%x"&+\'';
    const quoted = raw(`"${name.replaceAll('"', '""')}"`);
    await own.query(sql`create database ${quoted} template template0`);
    try {
      const place = new URL(own.url);
      const [path, query] = [new URL(place), new URL(place)];
      path.pathname = encodeURIComponent(name);
      query.search = String(new URLSearchParams({ dbname: name }));
      for (const { href } of [path, query]) {
        await using db = openPostgresDatabase({
          url: `${href}${href.includes('?') ? '&' : '?'}sslmode=require&sslmode=disable`,
          maxConnections: 1,
        });
        assert.deepEqual(await db.query(sql`select current_database()::text as name`), [{ name }]);
      }
    } finally {
      await own.query(sql`drop database ${quoted} with (force)`);
    }
  });

  it('a database address ignores parameters that only the driver knows', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    const url = `${own.url}?replication=database&statement_timeout=none&binary=true&client_encoding=LATIN1`;
    await using db = openPostgresDatabase({ url, maxConnections: 1 });
    assert.deepEqual(await db.query(sql`select 'ü' as letter, 1 as one`), [{ letter: 'ü', one: 1 }]);
  });

  it('a database address may have an IPv6 zone, and a user without a host', async () => {
    for (const place of ['[::1%25lo]:1/orgdesk', '[::1%lo]:1/orgdesk', '/orgdesk?host=::1%25lo&port=1']) {
      const url = `postgres://ana:secret@${place}`;
      readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET });
      await using db = openPostgresDatabase({ url, maxConnections: 1 });
      await assert.rejects(db.query(sql`select 1`), /::1/);
    }
  });

  it('a database address is completed by the environment variables of libpq', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    await withVariables({ PGOPTIONS: '-c search_path=of_the_variable' }, async () => {
      await using db = openPostgresDatabase({ url: own.url ?? '', maxConnections: 1 });
      const path = sql`select current_setting('search_path') as path`;
      assert.deepEqual(await db.query(path), [{ path: 'of_the_variable' }]);
    });
  });

  it('a database address may leave TLS to the server', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    for (const mode of ['disable', 'allow', 'prefer']) {
      await using db = openPostgresDatabase({ url: `${own.url}?sslmode=${mode}`, maxConnections: 2 });
      const answers = await Promise.all([1, 2, 3].map(() => db.query(sql`select 1 as one`)));
      assert.deepEqual(answers.flat(), [{ one: 1 }, { one: 1 }, { one: 1 }], mode);
    }
  });

  for (const [what, query, reason] of [
    [
      'a file of certificates that is missing',
      'sslmode=verify-full&sslrootcert=/no/such/file',
      /no such file.*\/no\/such/,
    ],
    ['a mode that needs certificates, without any', 'sslmode=verify-ca', /sslrootcert/],
  ] as const) {
    it(`a database address with ${what} is refused with the reason`, async () => {
      const url = `postgres://ana:secret@127.0.0.1:1/orgdesk?${query}`;
      await using db = openPostgresDatabase({ url, maxConnections: 1 });
      const error: unknown = await db.query(sql`select 1`).catch((cause: unknown) => cause);
      const explained = explainError(error, readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET }));
      assert.ok(explained instanceof UserError);
      assert.match(explained.message, reason);
    });
  }

  for (const [query, variables, reason] of [
    ['', { PGSSLMODE: 'verify_full' }, /sslmode \(PGSSLMODE\) is verify_full: expected one of disable, allow/],
    ['', { PGTARGETSESSIONATTRS: 'primery' }, /\(PGTARGETSESSIONATTRS\) is primery: expected any, primary/],
    ['?service=production', {}, /service is production: expected an address with a host/],
    ['?hostaddr=127.0.0.1', {}, /hostaddr is 127\.0\.0\.1: expected the address as the host/],
    ['?port=1,2', {}, /port is 1,2: expected one port/],
  ] as const) {
    it(`a database address with ${query || Object.keys(variables)} that only libpq accepts is refused`, async () => {
      const url = `postgres://ana:secret@127.0.0.1:1/orgdesk${query}`;
      await withVariables(variables, async () => {
        await using db = openPostgresDatabase({ url, maxConnections: 1 });
        const error: unknown = await db.query(sql`select 1`).catch((cause: unknown) => cause);
        const explained = explainError(error, readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET }));
        assert.ok(explained instanceof UserError);
        assert.match(explained.message, reason);
      });
    });
  }

  it('a database address with settings that the server refuses fails with an explanation', async () => {
    await using own = await openTestDatabase();
    if (own.url === undefined) return;
    for (const [options, reason] of [
      ['-c no_such_setting=1', /unrecognized configuration parameter "no_such_setting"/],
      ['-c work_mem=much', /invalid value for parameter "work_mem"/],
      ['-x', /invalid command-line argument/],
    ] as const) {
      const url = `${own.url}?${new URLSearchParams({ options })}`;
      await using db = openPostgresDatabase({ url, maxConnections: 1 });
      const error: unknown = await db.query(sql`select 1`).catch((cause: unknown) => cause);
      const explained = explainError(error, readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET }));
      assert.ok(explained instanceof UserError, String(explained));
      assert.match(explained.message, reason);
    }
  });

  it('a mistyped database address fails with an explanation, whatever the mistake', async () => {
    const address =
      'postgres://ana:se%20cret@127.0.0.1:1/orgdesk?sslmode=require&sslrootcert=system&application_name=a';
    const typed = fc
      .tuple(
        fc.nat(address.length),
        fc.nat(3),
        fc.constantFrom('', '%', '#', '?', '/', '@', ':', ',', '&', ' ', '=', 'é', '%zz'),
      )
      .map(([at, removed, added]) => address.slice(0, at) + added + address.slice(at + removed));
    await fc.assert(
      fc.asyncProperty(typed, async (url) => {
        if (!isServerAddress(url) || !url.includes('127.0.0.1:1/')) return;
        await using db = openPostgresDatabase({ url, maxConnections: 1 });
        const error: unknown = await db.query(sql`select 1`).catch((cause: unknown) => cause);
        assert.ok(
          explainError(error, { ...readConfig({ JWT_SECRET: TEST_SECRET }), databaseUrl: url }) instanceof UserError,
        );
      }),
    );
  });

  it('DATABASE_URL is refused as a setting if libpq would read it in another way', () => {
    for (const url of [
      'postgres://ana:50%off@db.example/orgdesk',
      'postgres://ana:secret@db.example/orgdesk?sslmode=verify_full',
      'postgres://ana:secret@a.example,b.example/orgdesk',
      'postgres:///orgdesk?host=a.example,b.example&target_session_attrs=read-write',
    ]) {
      assert.throws(
        () => readConfig({ DATABASE_URL: url, JWT_SECRET: TEST_SECRET }),
        /DATABASE_URL .*sslmode of disable/s,
      );
    }
  });
});

/** Runs work with variables of the environment. */
async function withVariables(variables: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}
