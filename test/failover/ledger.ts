import sql from 'sql-template-tag';
import type { Reader } from '../../src/db/database.ts';
import type { Written } from './writers.ts';

/** What became of the updates of one round. */
export interface Settled {
  acknowledged: number;
  /** Acknowledged, and not in the database. */
  lost: string[];
  /** Updates that failed or were not answered, and those of them that have happened. */
  unknown: number;
  unknownHappened: number;
}

/**
 * Looks each update up in the database: each is one change in the audit trail, and the last one stands in the profile.
 *
 * @param db the primary, past the service
 * @param mark begins the values of the round
 */
export async function settle(db: Reader, mark: string, written: readonly Written[]): Promise<Settled> {
  const changes = await db.query<{ value: string }>(sql`
    select field_values -> 'addressLine1' ->> 1 as value from audit_personal_values
     where starts_with(field_values -> 'addressLine1' ->> 1, ${`${mark}-`})`);
  const happened = new Set(changes.map(({ value }) => value));
  const lost = written.flatMap(({ acknowledged }) => acknowledged.filter((value) => !happened.has(value)));
  for (const one of written) lost.push(...(await lostAtLast(db, one)));
  const unknown = written.flatMap((one) => one.unknown);
  return {
    acknowledged: written.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    lost,
    unknown: unknown.length,
    unknownHappened: unknown.filter(({ value }) => happened.has(value)).length,
  };
}

/** The profile has the last acknowledged value, or one that was sent later. */
async function lostAtLast(db: Reader, { userId, acknowledged, unknown }: Written): Promise<string[]> {
  const last = acknowledged.at(-1);
  const [user] = await db.query<{ value: string }>(sql`
    select address_line_1 as value from users where id = ${userId}`);
  const possible = [last, ...unknown.filter(({ after }) => after === acknowledged.length).map(({ value }) => value)];
  return last === undefined || possible.includes(user?.value) ? [] : [`${last} (the profile has ${user?.value})`];
}
