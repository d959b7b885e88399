import assert from 'node:assert/strict';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer } from '../support/postgres-server.ts';
import { ACME, type Clients, EXAMPLES, run, say } from './programs.ts';

export async function tryWarehouse({ environment, keyed }: Clients): Promise<void> {
  await using server = await startPostgresServer();
  const env = { ...(await environment(['events.read'])), WAREHOUSE: server.url };
  const load = async () => {
    const { code, stdout, stderr } = await run(env, join(EXAMPLES, 'warehouse/load.mjs'));
    assert.deepEqual([code, stderr], [0, '']);
    return Number(/^(\d+) changes loaded$/m.exec(stdout)?.[1]);
  };
  const first = await load();
  assert.ok(first > 0);
  assert.equal(await load(), 0);
  const admin = await keyed(['organization.write']);
  await load();
  await admin.post('/api/departments/create', { companyId: ACME, name: 'Warehouse', costCode: 'WH-1' });
  assert.equal(await load(), 1);
  const warehouse = new pg.Client(server.url);
  await warehouse.connect();
  const { rows } = await warehouse.query(
    `select count(*)::int as count, count(*) filter (where entity = 'department' and changes @> '[{"field":"name","after":"Warehouse"}]')::int as new
     from orgdesk_changes`,
  );
  await warehouse.end();
  assert.deepEqual(rows, [{ count: first + 2, new: 1 }]);
  say(`warehouse: loads ${first} changes once, and later ones from its cursor on`);
}
