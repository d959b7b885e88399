import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { contextOf } from '../../src/app/context.ts';
import { CHECKS } from '../../src/commands/check/checks.ts';
import { missingRights, SERVICE_RIGHTS } from '../../src/commands/check/service-rights.ts';
import { checkCommand } from '../../src/commands/database-commands.ts';
import { readConfig } from '../../src/config/config.ts';
import { UserError } from '../../src/lib/errors.ts';
import { buildTestApp, TEST_SECRET } from '../support/build-test-app.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const api = await buildTestApp({}, openDemoDatabase);
after(() => api[Symbol.asyncDispose]());
const { db } = api;

const contextWith = (settings: Record<string, string> = {}, database = db) =>
  contextOf(readConfig({ JWT_SECRET: TEST_SECRET, ...settings }), database);

/** The line of `orgdesk check` about one thing. */
async function lineOf(name: string, ...context: Parameters<typeof contextWith>): Promise<string> {
  const finding = await (CHECKS[name] ?? assert.fail(name))(await contextWith(...context));
  return `${finding.state} ${finding.text}`;
}

describe('orgdesk check', () => {
  it('orgdesk check prints a line for each check, and fails if one of them fails', async () => {
    const lines: string[] = [];
    const output = {
      print: (text: string) => void lines.push(text),
      progress: () => undefined,
      flushed: async () => undefined,
    };
    const provider = { JWT_SECRET: '', JWKS_URL: 'http://127.0.0.1:9/keys', TOKEN_ISSUER: 'x', TOKEN_AUDIENCE: 'x' };
    await assert.rejects(
      checkCommand.act(await contextWith(provider), [], output, {}),
      new UserError('1 thing is not right.'),
    );
    assert.equal(lines.length, Object.keys(CHECKS).length);
    const [wrong, ...more] = lines.filter((line) => !/^(ok {3}|note ) {2}[a-z ]+: \S/.test(line));
    assert.match(wrong ?? '', /^wrong .*identity provider: .*gives no keys \(.+\): see/);
    assert.deepEqual(more, []);
  });

  it('orgdesk check prints what is wrong, and what to do', async () => {
    const late = {
      ...db,
      query: (async (...requested: Parameters<typeof db.query>) => {
        const rows = await db.query<{ now?: string }>(...requested);
        return rows.map((row) => (row.now === undefined ? row : { now: String(Number(row.now) - 60_000) }));
      }) as typeof db.query,
    };
    assert.match(await lineOf('clock', {}, late), /^wrong .*differs by 60 s/);
    const full = { ...db, diskState: () => 'low' as const };
    assert.match(await lineOf('disk', {}, full), /^wrong .*DISK_RESERVE/);
    assert.match(await lineOf('proxy', { HOST: '0.0.0.0' }), /^note .*TRUST_PROXY is not set/);
    assert.match(await lineOf('proxy', { TRUST_PROXY: '10.0.0.1' }), /^ok .*10\.0\.0\.1/);
  });

  it('orgdesk check looks for the rights that the documentation grants the service', () => {
    const documented = readFileSync('deploy/postgres/rights.sql', 'utf8').replaceAll(/\s+/g, ' ');
    const grants =
      documented.match(/grant (?:select|insert|update|delete|execute|temporary) [^;]*? to orgdesk_service;/g) ?? [];
    assert.deepEqual(
      SERVICE_RIGHTS.map(([right, on]) => `grant ${right} on ${on} to orgdesk_service;`).sort(),
      grants.sort(),
    );
  });

  it('orgdesk check names the rights that a database role lacks', async () => {
    const role = `orgdesk_checked_${process.pid}`;
    const limited = db.transaction(async (transaction) => {
      assert.deepEqual(await missingRights(transaction), []);
      await transaction.run(`
        create role ${role}; grant usage on schema public to ${role};
        ${SERVICE_RIGHTS.slice(1, -1)
          .map(([right, on]) => `grant ${right} on ${on} to ${role};`)
          .join('\n')}
        revoke update (gender) on users from ${role};
        set local role ${role}`);
      const missing = await missingRights(transaction);
      assert.ok(
        missing.includes('select on users') && missing.includes('update (gender) on users'),
        missing.join(', '),
      );
      assert.ok(missing.every((right) => right === 'update (gender) on users' || right.startsWith('select on ')));
      throw new Error('undo all');
    });
    await assert.rejects(limited, /undo all/);
  });
});
