import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { Database } from '../../src/db/database.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { AUDIT_LIST, EVENTS_LIST } from './trail.ts';

/** Rows of the trail that one statement may read. */
const MOST = 50;

/** The turns of the event loop in which statements about the trail were sent, and the most changes that one of them gave. */
const sent: number[] = [];
let most = 0;
let turn = 0;
let isCounting = false;
function count(): void {
  turn++;
  if (isCounting) setImmediate(count);
}

const db = await openDemoDatabase();
const query: Database['query'] = async <Row extends object>(statement: Parameters<Database['query']>[0]) => {
  // The names are looked up once, behind the pieces.
  if (isCounting && /audit_changes/.test(statement.text) && !/"erasedBy"/.test(statement.text)) sent.push(turn);
  const rows = await db.query<Row>(statement);
  for (const { rows: changes = [] } of rows as { rows?: unknown[] }[]) most = Math.max(most, changes.length);
  return rows;
};
const api = await buildCheckedApp({}, async () => ({ ...db, query }));
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(db, 'Acme');
const { email: superAdmin } = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const { email: admin } = await addPerson(db, { roles: [['CORPORATE_ADMIN', acme]] });
await db.query(sql`
  insert into audit_changes (actor_kind, run_id, action, entity, entity_id, company_id, fields)
  select 'import', gen_random_uuid(), 'added', 'company', ${acme.id}::text, ${acme.id}::uuid, '{}' from generate_series(1, 1000)`);

async function ask(url: string, as: string, limit: string): Promise<ChangeView[]> {
  [sent.length, most, isCounting] = [0, 0, true];
  setImmediate(count);
  const items = dataOf<ChangeView[]>(await api.send({ url, as, query: { limit } }));
  isCounting = false;
  return items;
}

describe('a large answer about the trail', () => {
  // The first publishes what it gives.
  for (const [url, as, limit] of [
    [EVENTS_LIST, superAdmin, 1000],
    [EVENTS_LIST, superAdmin, 1000],
    [EVENTS_LIST, admin, 1000],
    [AUDIT_LIST, superAdmin, 100],
    [AUDIT_LIST, admin, 100],
  ] as const) {
    it(`a large answer is written in pieces, one per event loop turn: ${url}, ${limit} as ${as === admin ? 'a Corporate' : 'the Super'} Admin`, async () => {
      const items = await ask(url, as, String(limit));
      assert.equal(items.length, limit);
      assert.equal(new Set(items.map(({ id }) => id)).size, limit);
      assert.ok(most > 0 && most <= MOST, `${most} rows at once`);
      assert.ok(sent.length >= limit / MOST);
      assert.equal(new Set(sent).size, sent.length, `several statements in one turn: ${sent.join()}`);
    });
  }
});
