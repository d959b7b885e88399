import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { openBlankDatabase, openDemoDatabase, type TestDatabase } from '../support/test-database.ts';

const commandLine = buildCommandLine();
const home = mkdtempSync(join(tmpdir(), 'orgdesk-home-'));
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

const settingsOf = (db: TestDatabase, more: Settings = {}): Settings => ({
  DATABASE_URL: db.url ?? '',
  DATA_DIR: join(home, 'data'),
  HOME: home,
  ...more,
});

/** Changes a setting of the database that sessions have from now on. */
async function set(db: TestDatabase, setting: string): Promise<void> {
  const [database] = await db.query<{ name: string }>(sql`select current_database()::text as name`);
  await db.query(sql`alter database ${raw(database?.name ?? '')} set ${raw(setting)}`);
}

describe('orgdesk check', () => {
  it('orgdesk check of a database without a schema finds nothing wrong', async () => {
    await using db = await openBlankDatabase();
    const { code, stdout, stderr } = await commandLine.run(['check'], settingsOf(db));
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^note {3}schema: none yet: the first `orgdesk serve`, `admin` or `migrate` makes it$/m);
    assert.match(stdout, /^ok {5}rights: this role may make the schema$/m);
  });
});

describe('a database that cannot have the schema', () => {
  it('migrate and check refuse a database that cannot have the schema, with reason and remedy', async () => {
    for (const [setting, reason] of [
      ['search_path = nowhere', /no schema of the search_path \(nowhere\) is there: create it/],
      ['default_transaction_read_only = on', /takes no changes: default_transaction_read_only is on/],
    ] as const) {
      await using db = await openBlankDatabase();
      await set(db, setting);
      const [migrated, checked] = await Promise.all(
        ['migrate', 'check'].map((command) => commandLine.run([command], settingsOf(db))),
      );
      assert.equal(migrated?.code, 1);
      assert.match(migrated?.stderr ?? '', new RegExp(`^The schema cannot be made: .*${reason.source}.*\\n$`));
      assert.match(checked?.stdout ?? '', new RegExp(`^wrong {2}database: .*${reason.source}`, 'm'));
    }
  });
});

describe('a database in another encoding than UTF-8', () => {
  it('migrate and check refuse a database in another encoding than UTF-8', async () => {
    await using db = await openBlankDatabase();
    const name = `odd_encoding_${process.pid}`;
    for (const encoding of ['SQL_ASCII', 'LATIN1']) {
      await db.query(sql`create database ${raw(name)} template template0 encoding ${raw(`'${encoding}'`)} locale 'C'`);
      const url = Object.assign(new URL(db.url ?? ''), { pathname: name }).href;
      const settings = settingsOf(db, { DATABASE_URL: url });
      const [migrated, checked] = await Promise.all(
        ['migrate', 'check'].map((command) => commandLine.run([command], settings)),
      );
      await db.query(sql`drop database ${raw(name)} with (force)`);
      const reason = `the database has the encoding ${encoding}: make one with \`createdb -T template0 -E UTF8\``;
      assert.deepEqual([migrated?.code, checked?.code], [1, 1]);
      assert.ok(migrated?.stderr.includes(reason), migrated?.stderr);
      assert.doesNotMatch(migrated?.stderr ?? '', /\n {4}at /);
      assert.ok(checked?.stdout.includes(`wrong  database: ${reason}`), checked?.stdout);
    }
  });
});

describe('a role with fewer connections than the settings allow', () => {
  it('a role with few connections has all statements answered, and orgdesk check reports the limit', async () => {
    await using db = await openDemoDatabase();
    const role = `few_connections_${process.pid}`;
    await db.query(sql`create role ${raw(role)} login password 'few' connection limit 3`);
    try {
      await db.query(sql`grant select on all tables in schema public to ${raw(role)}`);
      const url = Object.assign(new URL(db.url ?? ''), { username: role, password: 'few' }).href;
      {
        await using limited = openPostgresDatabase({ url, maxConnections: 10 });
        const sent = Array.from({ length: 120 }, () => limited.query(sql`select count(*) from users, pg_sleep(0.01)`));
        const answers = await Promise.allSettled(sent);
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(['fulfilled']));
      }
      const { stdout } = await commandLine.run(['check'], settingsOf(db, { DATABASE_URL: url }));
      assert.match(stdout, /^wrong {2}connections: the role allows 3, and this instance may take 12: lower/m);
    } finally {
      await db.query(sql`drop owned by ${raw(role)}`);
      await db.query(sql`drop role ${raw(role)}`);
    }
  });
});

describe('a connection that takes longer than a statement may', () => {
  it('a connection that takes longer to open than a statement may take is opened', async () => {
    await using own = await openBlankDatabase();
    const url = new URL(own.url ?? '');
    await using proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    // Four exchanges before the statement, and one for it.
    proxy.delay(700);
    await using db = openPostgresDatabase({
      url: url.href,
      maxConnections: 1,
      statementTimeout: 3_000,
      connectTimeout: 120_000,
    });
    assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
  });
});

describe('a service whose database takes no changes', () => {
  it('the service reports a read-only database at /readyz, and still answers', async () => {
    await using db = await openDemoDatabase();
    await using service = await commandLine.serve(settingsOf(db, { LOG_LEVEL: 'silent' }));
    const readiness = async () => (await fetch(`${service.address}/readyz`)).json();
    assert.equal(((await readiness()) as { data: { database: string } }).data.database, 'up');
    await set(db, 'default_transaction_read_only = on');
    await using reader = await commandLine.serve(settingsOf(db, { LOG_LEVEL: 'silent', DEMO_DATA: 'false' }));
    const response = await fetch(`${reader.address}/readyz`);
    const { data } = (await response.json()) as { data: { database: string } };
    assert.deepEqual([response.status, data.database], [200, 'read-only']);
  });
});

describe('the password file of PostgreSQL', () => {
  it('the service reads the password of the first matching line of .pgpass, and none of an open file', async () => {
    await using db = await openDemoDatabase();
    const { protocol, username, password, host, hostname, port, pathname } = new URL(db.url ?? '');
    const file = join(home, '.pgpass');
    const escaped = decodeURIComponent(password).replace(/[\\:]/g, '\\$&');
    const line = `*:${port}:${pathname.slice(1)}:${username}:${escaped}`;
    writeFileSync(file, `# a comment\nelsewhere:*:*:*:wrong\n${line}\n${hostname}:*:*:*:wrong\n`, { mode: 0o600 });
    const settings = settingsOf(db, { DATABASE_URL: `${protocol}//${username}@${host}${pathname}` });
    const { code, stderr } = await commandLine.run(['export', 'out'], settings, { folder: home });
    assert.deepEqual([code, stderr], [0, '']);
    chmodSync(file, 0o644);
    const open = await commandLine.run(['export', 'other'], settings, { folder: home });
    assert.equal(open.code, 1);
  });
});

describe('a working directory that has been removed', () => {
  it('a command in a removed working directory fails with one sentence', async () => {
    await using db = await openBlankDatabase();
    const folder = join(home, 'removed');
    mkdirSync(folder);
    const script = `const { spawnSync } = require('node:child_process'); require('node:fs').rmdirSync(process.cwd());
      const { status, stderr } = spawnSync(process.execPath, process.argv.slice(1), { encoding: 'utf8' });
      process.stderr.write(stderr); process.exitCode = status;`;
    const { execFile } = await import('node:child_process');
    const words = ['-e', script, join(commandLine.folder, 'dist/cli.js'), 'migrate'];
    const stderr = await new Promise<string>((resolve) =>
      execFile(process.execPath, words, { cwd: folder, env: { ...settingsOf(db) } }, (_error, _stdout, text) =>
        resolve(text),
      ),
    );
    assert.equal(stderr, 'The working directory has been removed: change to one that is there, such as `cd /`.\n');
  });
});

describe('a connection to the server', () => {
  it('a session runs one statement after the other, without a warning of the driver', async () => {
    await using own = await openDemoDatabase();
    await using db = openPostgresDatabase({ url: own.url ?? '', maxConnections: 1 });
    const warnings: string[] = [];
    const note = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', note);
    const answers = await db.session(async (session) => {
      const requested = [1, 2, 3, 4].map((number) => session.query<{ n: number }>(sql`select ${number}::integer as n`));
      const failed = session.query(sql`select 1 / 0`).catch(() => undefined);
      const copied = session.copyInto(sql`no_such_table (a)`, (async function* () {})()).catch(() => undefined);
      await Promise.all([failed, copied]);
      return [...(await Promise.all(requested)).flat(), ...(await session.query<{ n: number }>(sql`select 5 as n`))];
    });
    await new Promise(setImmediate);
    process.off('warning', note);
    assert.deepEqual(
      answers.map(({ n }) => n),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(warnings, []);
  });
});
