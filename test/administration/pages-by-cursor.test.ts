import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import type { CursorPagination } from '../../src/api/pagination.ts';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import { addPerson } from '../support/people.ts';
import { insertRow, type Row, validRows } from '../support/rows.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, get, post } = administration;
after(() => administration[Symbol.asyncDispose]());

type Query = Record<string, string>;

/** A list, the table of its rows, and columns that put a row in front of, in the middle of, or behind all others. */
interface TriedList {
  path: string;
  query: Query;
  table: string;
  at(place: Place): Row;
  add(row: Row): Promise<unknown>;
}
type Place = 'front' | 'middle' | 'back';

const companyId = home.id;
const DAYS: Record<Place, string> = { front: '2020-01-01', middle: '2020-02-01', back: '2020-03-01' };
const AMOUNTS: Record<Place, string> = { front: '1.00', middle: '5.00', back: '9007199254740.99' };
const named = (place: Place) => ({ name: { front: 'aa', middle: 'Mm', back: 'Žž' }[place] });
const newest = (place: Place) => ({
  created_at: DAYS[{ front: 'back', middle: 'middle', back: 'front' }[place] as Place],
});
const inHome = (table: string, more: () => Row) => (row: Row) =>
  insertRow(api.db, table, { company_id: companyId, ...more(), ...row });
const addUser =
  (company = home) =>
  (row: Row) =>
    addPerson(api.db, { company, columns: row, roles: company === home ? [] : [['EMPLOYEE', home]] });
const department = () => ({ ...validRows.departments, company_id: companyId, cost_code: randomUUID() });
const personNamed = (place: Place) => ({ first_name: named(place).name });

const LISTS: TriedList[] = [
  {
    path: 'companies/list',
    query: {},
    table: 'companies',
    at: named,
    add: (row) => insertRow(api.db, 'companies', { ...validRows.companies, gstin: randomUUID().slice(0, 20), ...row }),
  },
  {
    path: 'departments/list',
    query: { companyId },
    table: 'departments',
    at: named,
    add: inHome('departments', department),
  },
  {
    path: 'departments/spending',
    query: { companyId },
    table: 'departments',
    at: named,
    add: inHome('departments', department),
  },
  {
    path: 'bands/list',
    query: { companyId },
    table: 'employee_bands',
    at: named,
    add: inHome('employee_bands', () => ({ auto_approval_limit: '1', code: randomUUID() })),
  },
  {
    path: 'approval-policies/list',
    query: { companyId },
    table: 'approval_policies',
    at: named,
    add: inHome('approval_policies', () => ({ auto_approval_limit: '1' })),
  },
  { path: 'users/list', query: { companyId }, table: 'users', at: personNamed, add: addUser() },
  {
    path: 'users/list',
    query: { companyId, sort: '-name', search: 'e' },
    table: 'users',
    at: (place) => personNamed({ front: 'back', middle: 'middle', back: 'front' }[place] as Place),
    add: addUser(),
  },
  {
    path: 'users/list',
    query: { companyId, sort: 'approvalLimit' },
    table: 'users',
    at: (place) => ({ approval_limit: AMOUNTS[place] }),
    add: addUser(),
  },
  {
    path: 'users/list',
    query: { companyId, sort: 'updatedAt' },
    table: 'users',
    at: (place) => ({ updated_at: `${DAYS[place]}T00:00:00.000001Z` }),
    add: addUser(),
  },
  { path: 'users/list', query: { companyId, guests: 'true' }, table: 'users', at: personNamed, add: addUser(other) },
  {
    path: 'api-keys/list',
    query: { companyId },
    table: 'api_keys',
    at: newest,
    add: inHome('api_keys', () => ({
      name: 'Tried',
      scopes: 'users.read',
      prefix: 'odk_tried000',
      hash: (randomUUID() + randomUUID()).replaceAll('-', ''),
    })),
  },
  {
    path: 'webhooks/list',
    query: { companyId },
    table: 'webhooks',
    at: newest,
    add: inHome('webhooks', () => ({ url: 'http://127.0.0.1:9/', active: false })),
  },
];

async function page(path: string, query: Query): Promise<{ ids: string[]; pagination: CursorPagination }> {
  const response = await get(['companies/list', 'users/search'].includes(path) ? superAdmin : admin, path, query);
  assert.equal(response.statusCode, 200, response.body);
  const { data, pagination } = response.json<{ data: { id: string }[]; pagination: CursorPagination }>();
  return { ids: data.map(({ id }) => id), pagination };
}

/** Reads a list from its start, and does something after each page. */
async function readAll(path: string, query: Query, between: (ids: string[]) => Promise<unknown> = async () => {}) {
  const all: string[] = [];
  for (let next: string | null = 'start'; next !== null; ) {
    const { ids, pagination } = await page(path, { ...query, limit: '3', after: next });
    all.push(...ids);
    next = pagination.next;
    await between(ids);
  }
  return all;
}

for (const { path, query, table, at, add } of LISTS) {
  const title = [path, query.sort, query.guests && 'guests'].filter((word) => word !== undefined).join(' ');

  describe(`pages by cursor: ${title}`, () => {
    const rows = (ids: readonly string[]) => sql`${raw(table)} where id::text in (
      select json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
    const mine = new Set<string>();
    const added = async (place: Place) => {
      const before = new Set((await page(path, { ...query, limit: '100' })).ids);
      await add({ ...(path.startsWith('users') ? {} : { id: randomUUID() }), ...at(place) });
      const now = (await page(path, { ...query, limit: '100' })).ids;
      const id = now.find((one) => !before.has(one)) ?? assert.fail('nothing was added');
      mine.add(id);
      return id;
    };

    it(`${title} by cursor returns the same items in the same order as pages by number`, async () => {
      for (let count = 0; count < 12; count++) await added('middle');
      const byNumber = (await page(path, { ...query, limit: '100' })).ids;
      assert.deepEqual(await readAll(path, query), byNumber);
      const { pagination } = await page(path, { ...query, limit: '2', after: 'start' });
      assert.deepEqual(Object.keys(pagination), ['totalItems', 'pageSize', 'next']);
      assert.deepEqual([pagination.totalItems, pagination.pageSize], [byNumber.length, 2]);
    });

    it(`${title} by cursor returns each unchanged item once while others are moved, removed and added`, async () => {
      const touched = new Set<string>();
      const touch = (id: string | undefined) => touched.add(id ?? '');
      const before = (await page(path, { ...query, limit: '100' })).ids;
      const read = await readAll(path, query, async (ids) => {
        // Nobody who asks is among these.
        const [moved, removed] = ids.filter((id) => mine.has(id));
        if (touched.size > 12 || removed === undefined) return;
        const [[column, value] = ['', '']] = Object.entries(at('back'));
        await api.db.query(sql`update ${raw(table)} set ${raw(column)} = ${String(value)}::text::${raw(typeOf(column))}
                                where id::text = ${moved}`);
        if (path === 'users/list') await api.db.query(sql`delete from company_roles where user_id::text = ${removed}`);
        await api.db.query(sql`delete from ${rows([removed])}`);
        touch(moved);
        touch(removed);
        touch(await added('front'));
        touch(await added('back'));
      });
      assert.ok(touched.size > 12);
      const stayed = before.filter((id) => !touched.has(id));
      assert.deepEqual(
        read.filter((id) => !touched.has(id)),
        stayed,
      );
    });

    it(`${title} by cursor refuses a foreign cursor, and a cursor together with a page`, async () => {
      const as = path === 'companies/list' ? superAdmin : admin;
      const { pagination } = await page(path, { ...query, limit: '1', after: 'start' });
      const parts = JSON.parse(Buffer.from(pagination.next ?? '', 'base64url').toString()) as string[];
      const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
      const [mark, ...values] = parts;
      for (const wrong of [
        '1',
        'end',
        '%',
        cursor(),
        cursor(mark),
        cursor('mark', ...values),
        cursor(mark, ...values, 'x'),
      ]) {
        const { errors } = assertInvalid(await get(as, path, { ...query, after: wrong }), 'after');
        assert.equal(errors?.[0]?.code, 'INVALID_FORMAT', wrong);
      }
      if (table !== 'approval_policies') {
        assertInvalid(await get(as, path, { ...query, after: cursor(mark, ...values.slice(0, -1), 'x') }), 'after');
      }
      assertInvalid(await get(as, path, { ...query, after: 'start', page: '1' }), 'after');
    });
  });
}

function typeOf(column: string): string {
  if (column.endsWith('_at')) return 'timestamptz';
  return column === 'approval_limit' ? 'numeric' : 'text';
}

describe('pages by cursor: lists of what has happened', () => {
  const writes = async (count: number) => {
    for (let nth = 0; nth < count; nth++) {
      const body = { companyId, name: 'Written', costCode: randomUUID() };
      assert.equal((await post(admin, 'departments/create', body)).statusCode, 200);
    }
  };

  it('audit/list by cursor returns the trail as of the first page, whatever is written meanwhile', async () => {
    await writes(7);
    const { ids: before } = await page('audit/list', { limit: '100' });
    const read = await readAll('audit/list', {}, async () => {
      await administration.changesOf(() => writes(1));
    });
    assert.deepEqual(read, before);
  });

  it('audit/list and departments/list return 400 for a cursor of another list', async () => {
    const { pagination } = await page('audit/list', { limit: '1', after: 'start' });
    assertInvalid(await get(admin, 'departments/list', { companyId, after: pagination.next ?? '' }), 'after');
    assertRefused(await get(admin, 'audit/list', { after: 'WyJ4Il0' }), 400, 'INVALID_INPUT', ['after']);
  });

  it('users/list and users/search return 400 for a cursor of each other', async () => {
    for (let index = 0; index < 2; index++) await addUser()({ first_name: 'Cursor' });
    const query = { search: 'cursor', limit: '1', after: 'start' };
    const listed = await page('users/list', { ...query, companyId });
    const found = await page('users/search', query);
    assertInvalid(await get(superAdmin, 'users/search', { ...query, after: listed.pagination.next ?? '' }), 'after');
    const crossed = { ...query, companyId, after: found.pagination.next ?? '' };
    assertInvalid(await get(superAdmin, 'users/list', crossed), 'after');
  });

  it('countries/list by cursor returns each page once, without isPaginationNeeded', async () => {
    const whole = (await api.send({ url: '/api/countries/list' })).json<{ data: object[] }>().data;
    const first = await api.send({ url: '/api/countries/list', query: { after: 'start', limit: '2' } });
    assert.deepEqual(first.json<{ data: object[] }>().data, whole.slice(0, 2));
    assertRefused(await api.send({ url: '/api/countries/list', query: { after: 'x' } }), 400, 'INVALID_INPUT', [
      'after',
    ]);
  });
});
