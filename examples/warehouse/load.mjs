// load.mjs: every change of the company as a row of a warehouse, each exactly once: rows and cursor are written in one transaction. Run
// it as often as you like; it ends when there is nothing new. A key with events.read; WAREHOUSE is the address of a PostgreSQL database.
import { createClient } from 'orgdesk-client';
import pg from 'pg';

const { ORGDESK_URL: baseUrl, ORGDESK_KEY: token, COMPANY_ID: companyId, WAREHOUSE } = process.env;
const orgdesk = createClient({ baseUrl, token });
const warehouse = new pg.Client(WAREHOUSE);
await warehouse.connect();
await warehouse.query(`
  create table if not exists orgdesk_changes (
    id bigint primary key, changed_at timestamptz not null, action text not null, entity text not null, entity_id text not null,
    user_id uuid, actor jsonb not null, changes jsonb not null
  );
  create table if not exists orgdesk_cursor (company_id uuid primary key, cursor text not null)`);

const { rows } = await warehouse.query('select cursor from orgdesk_cursor where company_id = $1', [companyId]);
let loaded = 0;
for await (const { data, next } of orgdesk.feed({ after: rows[0]?.cursor, companyId, live: false })) {
  await warehouse.query('begin');
  const { rowCount } = await warehouse.query(
    `insert into orgdesk_changes
     select id, "changedAt", action, entity, "entityId", "userId", actor, changes from jsonb_to_recordset($1) as given(
       id bigint, "changedAt" timestamptz, action text, entity text, "entityId" text, "userId" uuid, actor jsonb, changes jsonb)`,
    [JSON.stringify(data)],
  );
  // Who is erased in orgdesk is erased here too.
  const erased = data.filter(({ action }) => action === 'erased').map(({ userId }) => userId);
  await warehouse.query(`update orgdesk_changes set changes = '[]' where user_id = any($1) and action <> 'erased'`, [
    erased,
  ]);
  await warehouse.query(
    `insert into orgdesk_cursor values ($1, $2) on conflict (company_id) do update set cursor = excluded.cursor`,
    [companyId, next],
  );
  await warehouse.query('commit');
  loaded += rowCount;
}
await warehouse.end();
console.log(`${loaded} changes loaded`);
