import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import sql, { raw } from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import { contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import type { ProfileView, ReducedProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { stopClock } from '../support/clock.ts';
import { fewPlaces } from '../support/geographies.ts';
import { insertRow, uuid, validRows } from '../support/rows.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { UPDATE_PROFILE } from '../support/update-profile.ts';

/**
 * Behind UTC, ahead of it, and so far ahead that it is tomorrow there for most of the day; each with its distance on
 * 2026-01-01, in minutes, as JavaScript counts it.
 */
const ZONES = { 'America/St_Johns': 210, 'Asia/Kolkata': -330, 'Pacific/Kiritimati': -840 };
const DAYS = ['1900-01-01', '1970-01-01', '1984-02-29', '1999-12-31', '2026-03-08'];
const startZone = process.env.TZ;
const userId = uuid(31);

const database = await openTestDatabase();
after(() => database[Symbol.asyncDispose]());
for (const table of ['companies', 'departments', 'employee_bands'] as const) {
  await insertRow(database, table, validRows[table]);
}
const moments = { created_at: '2026-03-08T06:59:59.999Z', updated_at: '2026-03-08T23:30:00Z' };
await insertRow(database, 'users', { ...validRows.users, id: userId, ...moments });

afterEach(() => {
  if (startZone === undefined) delete process.env.TZ;
  else process.env.TZ = startZone;
});

/** Returns the database with this time zone: that of the sessions if it is embedded, which a server's sessions do not take over. */
async function databaseIn(zone: string): Promise<Database> {
  if (database.url === undefined) {
    await database.query(sql`select set_config('TimeZone', ${zone}, false)`);
    assert.equal(await zoneOfSessions(database), zone);
    return { ...database, [Symbol.asyncDispose]: async () => undefined };
  }
  const name = new URL(database.url).pathname.slice(1);
  await database.query(sql`alter database ${raw(name)} set timezone = '${raw(zone)}'`);
  const [stored] = await database.query<{ settings: string[] }>(sql`
    select setconfig as settings from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
     where setrole = 0 and datname = ${name}`);
  assert.deepEqual(stored?.settings, [`TimeZone=${zone}`]);
  const opened = openPostgresDatabase({ url: database.url, maxConnections: 2 });
  assert.equal(await zoneOfSessions(opened), 'UTC');
  return opened;
}

async function zoneOfSessions(db: Database): Promise<string | undefined> {
  const [setting] = await db.query<{ zone: string }>(sql`select current_setting('TimeZone') as zone`);
  return setting?.zone;
}

/** Does the work in a process and with a database that are in this time zone. */
async function inZone(
  zone: keyof typeof ZONES,
  work: (send: (request: InjectOptions) => Promise<LightMyRequestResponse>, db: Database) => Promise<void>,
): Promise<void> {
  process.env.TZ = zone;
  await using db = await databaseIn(zone);
  assert.equal(new Date(2026, 0, 1).getTimezoneOffset(), ZONES[zone]);
  const context = await contextOf(readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET }), db);
  const geography = fewPlaces();
  const app = await buildApp({ ...context, geography });
  const headers = { authorization: `Bearer ${await context.signToken(userId, 600)}` };
  await work((request) => app.inject({ headers, ...request }), db);
  await app.close();
}

for (const zone of Object.keys(ZONES) as (keyof typeof ZONES)[]) {
  describe(`profile in ${zone}`, () => {
    it(`a profile returns timestamps in UTC if the process and the session are in ${zone}`, () =>
      inZone(zone, async (send, db) => {
        await db.query(sql`update users set updated_at = ${moments.updated_at}::text::timestamptz`);
        const profile = dataOf<ProfileView>(await send({ url: '/api/users/profile' }));
        assert.deepEqual(
          [profile.createdAt, profile.updatedAt],
          ['2026-03-08T06:59:59.999Z', '2026-03-08T23:30:00.000Z'],
        );
        const start = Date.now();
        const updated = dataOf<ReducedProfileView>(
          await send({ url: UPDATE_PROFILE, method: 'POST', payload: { gender: 'Other' } }),
        );
        assert.ok(Math.abs(Date.parse(updated.updatedAt) - start) < 60_000, updated.updatedAt);
        assert.equal(updated.createdAt, '2026-03-08T06:59:59.999Z');
      }));

    it(`a date of birth stays the same day in ${zone}, sent as a date or as a date-time`, () =>
      inZone(zone, async (send, db) => {
        for (const day of DAYS) {
          for (const dateOfBirth of [day, `${day}T00:00:00.000Z`]) {
            const answers = [
              await send({ url: UPDATE_PROFILE, method: 'POST', payload: { dateOfBirth } }),
              await send({ url: UPDATE_PROFILE, query: { dateOfBirth } }),
              await send({ url: '/api/users/profile' }),
            ];
            for (const answer of answers) {
              assert.equal(dataOf<ProfileView>(answer).dateOfBirth, `${day}T00:00:00.000Z`);
            }
            const [row] = await db.query<{ day: string }>(sql`select date_of_birth::text as day from users`);
            assert.equal(row?.day, day);
          }
        }
      }));

    it(`the latest date of birth is the current day in UTC if the process is in ${zone}`, () =>
      inZone(zone, async (send) => {
        for (const [now, today, tomorrow] of [
          ['2031-03-01T00:00:00.000Z', '2031-03-01', '2031-03-02'],
          ['2031-03-01T23:59:59.999Z', '2031-03-01', '2031-03-02'],
        ] as const) {
          using _ = stopClock(Date.parse(now));
          const context = await contextOf(readConfig({ JWT_SECRET: TEST_SECRET }), database);
          const headers = { authorization: `Bearer ${await context.signToken(userId, 60)}` };
          const born = (dateOfBirth: string) =>
            send({ url: UPDATE_PROFILE, method: 'POST', headers, payload: { dateOfBirth } });
          dataOf(await born(today));
          assertInvalid(await born(tomorrow), 'dateOfBirth');
        }
      }));
  });
}
