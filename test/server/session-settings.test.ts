import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { SESSION_SETTINGS } from '../hosts/session-settings.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const READS = ['/api/users/profile', '/api/users/list?companyId=', '/api/departments/list?companyId='];

async function serviceWith(setting: string | undefined) {
  const db = await openDemoDatabase();
  if (setting !== undefined) {
    const [{ name, version } = { name: '', version: 0 }] = await db.query<{ name: string; version: number }>(
      sql`select current_database()::text as name, current_setting('server_version_num')::integer as version`,
    );
    const isUnknown = setting.startsWith('transaction_timeout') && version < 170_000;
    if (!isUnknown) await db.query(sql`alter database ${raw(name)} set ${raw(setting)}`);
  }
  const test = await buildTestApp({}, async () => {
    const opened = openPostgresDatabase({ url: db.url ?? '', maxConnections: 10, statementTimeout: 60_000 });
    return { ...opened, url: db.url, [Symbol.asyncDispose]: async () => opened[Symbol.asyncDispose]() };
  });
  return {
    ...test,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

type Service = Awaited<ReturnType<typeof serviceWith>>;

/** Sends each read, and 40 profile updates at the same time. */
async function answersOf({ send, db }: Service): Promise<string[]> {
  const as = 'admin@acme.example';
  const [company] = await db.query<{ id: string }>(sql`select company_id as id from users where email = ${as}`);
  const updates = Array.from({ length: 40 }, (_, index) =>
    send({ as, method: 'POST', url: '/api/users/update-profile', payload: { addressLine2: `Flat ${index} \\ É` } }),
  );
  const codes = (await Promise.all(updates)).map(({ statusCode }) => statusCode);
  await send({
    as,
    method: 'POST',
    url: '/api/users/update-profile',
    payload: { dateOfBirth: '1990-03-02', addressLine2: 'the \\ last É' },
  });
  const reads = READS.map(async (url) => (await send({ as, url: url.replace(/=$/, `=${company?.id}`) })).body);
  const withoutTimes = (body: string) => body.replace(/"(?:updatedAt|lastUsedAt)":"[^"]*"/g, '');
  return [...codes.map(String), ...(await Promise.all(reads)).map(withoutTimes)];
}

describe('a connection to the server', () => {
  it('the service answers the same under any session settings of the database', async () => {
    await using plain = await serviceWith(undefined);
    const expected = await answersOf(plain);
    assert.match(expected.at(-READS.length) ?? '', /"dateOfBirth":"1990-03-02T00:00:00\.000Z"/);
    for (const [name, setting] of Object.entries(SESSION_SETTINGS)) {
      await using service = await serviceWith(setting);
      assert.deepEqual(await answersOf(service), expected, name);
    }
  });
});
