import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import { fold } from '../../src/lib/text-folding.ts';
import { pageOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { COMPANIES_LIST } from '../support/list-paths.ts';
import { ask, expectedIds, type ListedItem, type PagedList } from '../support/paged-list.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { vacuumWholly } from '../support/vacuum-wholly.ts';

/** So many that the planner, left to itself, reads by an index what it can. */
const COMPANIES = 2000;

const { db, statements } = recordStatements(await openTestDatabase());
const api = await buildTestApp({}, async () => db);
after(() => api[Symbol.asyncDispose]());

const operator = await addCompany(db, 'Platform Operator');
const admin = await addPerson(db, { company: operator, systemRole: { role: 'SUPER_ADMIN', active: true } });
await db.transaction(async (transaction) => {
  // The tests' server writes commits down some time later: VACUUM would not yet hold these rows for settled.
  await transaction.run('set local synchronous_commit = on');
  await transaction.query(sql`
  insert into companies (id, name, legal_name, gstin, email, credit_limit, credit_days, active)
  select gen_random_uuid(), name || ' ' || n, 'Legal ' || n, 'GST-' || n, 'mail' || n || '@host.example', 1, 1, n % 10 > 0
    from generate_series(1, ${COMPANIES}::integer) n,
         lateral (select (array['Bogotá Exports', 'İSTANBUL Works', 'Łódź & Co', '100% Cotton', '50_50 Split', 'Back\\slash', 'ミナミ 貿易',
                                'Gießbach “Optik”', 'Owls 🦉', 'Ærø'])[1 + n % 10]) named (name)`);
});
await vacuumWholly(db, 'companies');

const items = await db.query<ListedItem & { active: boolean }>(sql`
  select id, name, active, json_build_array(name, legal_name, gstin, email) as texts from companies`);
const list: PagedList = {
  name: 'companies/list',
  url: COMPANIES_LIST,
  message: '',
  as: admin.email,
  query: {},
  index: 'companies_order',
  // Folded once: what is folded stays as it is.
  items: items.map((item) => ({ ...item, name: fold(item.name), texts: item.texts.map(fold) })),
};

/** The plan of a statement. */
async function planOf(statement: Sql | undefined): Promise<string> {
  assert.ok(statement);
  const lines = await db.query<Record<string, string>>(sql`explain ${statement}`);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

async function search(query: Record<string, string>): Promise<{ ids: string[]; total: number; plan: string }> {
  const { items: found, pagination } = pageOf<{ id: string }>(await ask(api, list, query));
  return { ids: found.map(({ id }) => id), total: pagination.totalItems, plan: await planOf(statements.at(-1)) };
}

const NEEDLES = [
  '%',
  '_',
  '\\',
  '%%',
  '100%',
  '0_5',
  'k\\s',
  '\\%',
  '&',
  '@',
  '-',
  ' ',
  'a',
  'E',
  'é',
  'ß',
  'ł',
  'q',
  'z',
  '7',
  'ó',
  'ss',
  'SS',
  'lo',
  'ŁÓ',
  'xq',
  '🦉',
  '🦉 1',
  'ミ',
  'ナミ',
  '貿',
  '貿易',
  'bogotÁ',
  'ISTANBUL',
  'istanbul w',
  'giessbach "opt',
  'mail12',
  'GST-1999',
  'gst-9999',
  'legal 2',
  '1 legal',
  'host.example',
  'exports   17',
  'aero',
  'xyz',
  'a'.repeat(200),
];

describe('companies list: search among many', () => {
  it('companies/list among many companies finds, orders and counts as a comparison of every text does', async () => {
    for (const needle of NEEDLES) {
      const expected = expectedIds(list, needle);
      for (const page of [1, Math.ceil(expected.length / 10), 7]) {
        const { ids, total } = await search({ search: needle, page: String(Math.max(page, 1)) });
        assert.equal(total, expected.length, needle);
        assert.deepEqual(ids, expected.slice((Math.max(page, 1) - 1) * 10).slice(0, 10), `${needle}, page ${page}`);
      }
    }
  });

  it('companies/list with a search reads the index for any length and any number of matches', async () => {
    for (const needle of NEEDLES.filter((text) => text.trim() !== '')) {
      for (const more of [{}, { activeOnly: 'true' }]) {
        const { plan } = await search({ search: needle, ...more });
        assert.match(plan, /Bitmap Index Scan on companies_search/, `${needle}\n${plan}`);
        assert.doesNotMatch(plan, /Seq Scan on companies/, `${needle}\n${plan}`);
      }
    }
  });

  it('companies/list without a search reads pages and count from the order index', async () => {
    for (const [more, index] of [
      [{}, 'companies_order'],
      [{ activeOnly: 'true' }, 'companies_active_order'],
    ] as const) {
      for (const page of ['1', '200']) {
        const { plan } = await search({ ...more, page });
        assert.match(plan, new RegExp(`Index Only Scan using ${index} on`), plan);
        assert.doesNotMatch(plan, /Seq Scan on companies/, plan);
      }
    }
  });

  it('companies/list finds new and renamed companies at once, and removed ones no longer', async () => {
    const { id } = await addCompany(db, 'Quokka Quartz');
    assert.deepEqual((await search({ search: 'KKA qu' })).ids, [id]);
    await db.query(sql`update companies set name = 'Wombat', legal_name = 'Wombat' where id = ${id}`);
    assert.deepEqual((await search({ search: 'quokka' })).ids, []);
    assert.deepEqual((await search({ search: 'wómbat' })).ids, [id]);
  });
});
