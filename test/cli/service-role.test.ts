import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { CHECKS } from '../../src/commands/check/checks.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine } from '../support/command-line.ts';
import { openBlankDatabase, type TestDatabase } from '../support/test-database.ts';

/* The service has a role of its own, which is granted what it needs by `orgdesk migrate`. */
const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());
const role = `orgdesk_service_${process.pid}`;
const settings = { JWT_SECRET: TEST_SECRET, DATA_DIR: join(commandLine.folder, 'data'), DEMO_DATA: 'false' };

let db: TestDatabase;
before(async () => {
  db = await openBlankDatabase();
  await db.query(sql`create role ${raw(role)} login password 'service'`);
});
after(async () => {
  await db.query(sql`drop owned by ${raw(role)}`);
  await db.query(sql`drop role ${raw(role)}`);
  await db[Symbol.asyncDispose]();
});

function addressOf(username: string, password: string): string {
  return Object.assign(new URL(db.url ?? ''), { username, password }).href;
}
const migrate = (SERVICE_ROLE = role, more: object = {}) =>
  commandLine.run(['migrate'], { ...settings, ...more, DATABASE_URL: db.url ?? '', SERVICE_ROLE });
const asService = (...words: string[]) =>
  commandLine.run(words, { ...settings, DATABASE_URL: addressOf(role, 'service') });

describe('the role of the service', () => {
  it('orgdesk migrate grants SERVICE_ROLE what the service needs, and nothing to a role that is not there', async () => {
    const unknown = await migrate('nobody_here');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^SERVICE_ROLE: the server has no role nobody_here: create it/m);
    const { code, stdout, stderr } = await migrate();
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^The role ${role} has the rights of the service\\.$`, 'm'));
    await using service = await commandLine.serve({ ...settings, DATABASE_URL: addressOf(role, 'service') });
    assert.equal((await fetch(`${service.address}/readyz`)).status, 200);
    const checked = await asService('check');
    assert.equal(checked.code, 0, checked.stdout);
    assert.match(checked.stdout, /^ok {5}rights: those of the service$/m);
  });

  it('orgdesk serve ends at its start with the rights that its role lacks and the command that grants them', async () => {
    await db.query(sql`revoke select on sign_ins, bookings from ${raw(role)}`);
    const lacks = `the role ${role} lacks select on bookings, select on sign_ins: run \`SERVICE_ROLE=${role} orgdesk migrate\` as the owner`;
    const { code, stdout, stderr } = await asService('serve');
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.includes(`The service cannot work: ${lacks}`), stderr);
    const checked = await asService('check');
    assert.ok(checked.stdout.includes(`wrong  rights: ${lacks}`), checked.stdout);
    assert.equal((await migrate()).code, 0);
    assert.equal((await asService('check')).code, 0);
  });

  it('orgdesk serve with AUDIT_RETENTION ends at its start until its role may remove old changes', async () => {
    const retaining = { AUDIT_RETENTION: '30', DATABASE_URL: addressOf(role, 'service') };
    const { code, stderr } = await commandLine.run(['serve'], { ...settings, ...retaining });
    assert.equal(code, 1);
    assert.match(stderr, /lacks execute on function remove_old_audit_changes.*AUDIT_RETENTION=30 orgdesk migrate/);
    assert.equal((await migrate(role, { AUDIT_RETENTION: '30' })).code, 0);
    await using _service = await commandLine.serve({ ...settings, ...retaining });
  });
});

describe('a database that cannot be used', () => {
  const linesOf = (stdout: string) => stdout.trimEnd().split('\n').length;

  it('orgdesk check has a line for each thing and a summary if no connection is left, and serve says the same', async () => {
    await db.query(sql`alter role ${raw(role)} connection limit 0`);
    const { code, stdout, stderr } = await asService('check');
    assert.deepEqual([code, linesOf(stdout)], [1, Object.keys(CHECKS).length], stdout + stderr);
    assert.match(stderr, /^\d+ things are not right\.$/m);
    const reason =
      /has no connection left for this role \(too many connections for role .*\): lower DATABASE_MAX_CONNECTIONS/;
    assert.match(stdout, reason);
    assert.match((await asService('migrate')).stderr, reason);
    await db.query(sql`alter role ${raw(role)} connection limit -1`);
  });

  it('check, migrate and serve name a schema of the search_path that is not there', async () => {
    await db.query(sql`alter role ${raw(role)} set search_path to nowhere`);
    for (const command of ['check', 'migrate', 'serve']) {
      const { code, stdout, stderr } = await asService(command);
      assert.equal(code, 1);
      assert.match(stdout + stderr, /no schema of the search_path \(nowhere\) is there: create it/, command);
      assert.doesNotMatch(stderr, /^ +at /m);
    }
    await db.query(sql`alter role ${raw(role)} reset search_path`);
  });

  it('check, migrate and serve say that the address has no password', async () => {
    for (const command of ['check', 'migrate', 'serve']) {
      const { code, stdout, stderr } = await commandLine.run([command], {
        ...settings,
        DATABASE_URL: addressOf(role, ''),
      });
      assert.equal(code, 1);
      assert.match(stdout + stderr, /asks for a password, and DATABASE_URL has none/, command);
    }
  });
});
