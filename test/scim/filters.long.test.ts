import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { uuid, validRows } from '../support/rows.ts';
import { type Json, openDirectory, type TestDirectory } from './directory.ts';
import {
  ATTRIBUTES,
  type Attribute,
  comparisons,
  isTrue,
  type Leaf,
  type Op,
  type Person,
  type Tree,
  written,
} from './filter-evaluator.ts';

const PEOPLE = 2_000;
const FILTERS = 300;
const SEED = 20_260_101;
/** That the service takes in a filter. */
const MAX_COMPARISONS = 20;

const GIVEN = [
  'Ana',
  'ANA',
  'Éva',
  'éva',
  'Eva',
  'Zoë',
  'Ömer',
  'İlk',
  'Ян',
  'ян',
  'Nils "Nick"',
  'a\\b',
  '100%',
  'x_y',
];
const FAMILY = ['Rao', "O'Hara", 'Çelik', 'çelik', 'Straße', 'de la Cruz', 'Σοφ', 'σοφ', 'Li', 'LI', '李', '🙂 Smile'];
const LATEST = Date.UTC(2026, 5, 1);

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Filtered');
const people = await addPeople();

async function addPeople(): Promise<Person[]> {
  const { id: companyId, departmentId, bandId } = directory.company;
  const rows = Array.from({ length: PEOPLE }, (_, index) => {
    const local = index % 3 === 0 ? `User.${index}` : index % 3 === 1 ? `user-${index}` : `ÜSER_${index}`;
    return {
      ...validRows.users,
      id: uuid(900_000 + index),
      company_id: companyId,
      department_id: departmentId,
      band_id: bandId,
      email: `${local}@${index % 2 === 0 ? 'Acme' : 'globex'}.example`,
      first_name: GIVEN[index % GIVEN.length],
      last_name: FAMILY[(index * 7) % FAMILY.length],
      active: index % 5 !== 0,
      loyalty_points: 0,
      created_at: '2020-01-01T00:00:00Z',
      updated_at: new Date(LATEST - index * 60_000).toISOString(),
      external_id: index % 4 === 0 ? null : `Ext-${index % 4 === 1 ? index : `é${index}`}`,
      work_email: index % 3 === 0 ? `Work.${index}@Mail.example` : null,
      said_at: new Date(LATEST - (PEOPLE - index) * 45_000).toISOString(),
    };
  });
  const given = JSON.stringify(rows);
  await api.db.query(sql`insert into users (id, email, first_name, last_name, phone, client_type, company_id, department_id, band_id,
      approval_limit, date_of_birth, gender, address_line_1, pincode, active, external_id, created_at, updated_at)
    select id, email, first_name, last_name, phone, client_type, company_id, department_id, band_id,
      approval_limit, date_of_birth, gender, address_line_1, pincode, active, external_id, created_at, updated_at + interval '0.4 milliseconds'
      from json_populate_recordset(null::users, ${given}::text::json)`);
  await api.db.query(sql`insert into scim_users (user_id, company_id, work_email, updated_at)
    select (row ->> 'id')::uuid, (row ->> 'company_id')::uuid, row ->> 'work_email', (row ->> 'said_at')::timestamptz
      from json_array_elements(${given}::text::json) row where row ->> 'work_email' is not null`);
  // A work address is a change of the person.
  await api.db.query(sql`update users set updated_at = (row ->> 'updated_at')::timestamptz + interval '0.4 milliseconds'
    from json_array_elements(${given}::text::json) row where users.id = (row ->> 'id')::uuid`);
  return rows.map((row) => {
    return {
      id: row.id,
      userName: row.email,
      externalId: row.external_id,
      workEmail: row.work_email ?? row.email,
      givenName: row.first_name ?? '',
      familyName: row.last_name ?? '',
      active: row.active,
      lastModified: Date.parse(row.updated_at),
    };
  });
}

const ORDERED: readonly Op[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const pick = fc.constantFrom(...people);
/** A text of somebody, a piece of one, in another case, or one that nobody has. */
function textOf(attribute: Attribute): fc.Arbitrary<string> {
  const whole = pick.map((person) => String(ATTRIBUTES[attribute].of(person) ?? 'none'));
  return fc.oneof(
    whole,
    whole.map((text) => text.toUpperCase().replace('SS', 'ß')),
    fc
      .tuple(whole, fc.nat(6), fc.integer({ min: 1, max: 4 }))
      .map(([text, from, size]) => [...text].slice(from, from + size).join('') || 'a'),
    fc.constantFrom('', 'nobody', '%', '_', '\\', '"', ' '),
  );
}
const dates = pick.chain(({ lastModified }) =>
  fc.constantFrom(...[0, 1, -1].map((later) => new Date(lastModified + later).toISOString())),
);
function leafOf(attributes: readonly Attribute[]): fc.Arbitrary<Tree> {
  return fc.constantFrom(...attributes).chain((attribute): fc.Arbitrary<Tree> => {
    const of = (ops: readonly Op[], value: fc.Arbitrary<Leaf['value']>) =>
      fc.record({ attribute: fc.constant(attribute), op: fc.constantFrom(...ops), value });
    if (attribute === 'active' || attribute === 'primary') return of(['eq', 'ne'], fc.boolean());
    if (attribute === 'type') return of(['eq', 'ne'], fc.constantFrom('work', 'home', 'WORK'));
    if (attribute === 'meta.lastModified') return of(ORDERED, dates);
    return fc.oneof(
      { weight: 8, arbitrary: of([...ORDERED, 'co', 'sw', 'ew'], textOf(attribute)) },
      of(['pr'], fc.constant('')),
      of(['eq', 'ne'], fc.constant(null)),
    );
  });
}
const OUTSIDE = (Object.keys(ATTRIBUTES) as Attribute[]).slice(0, -3);
const trees = fc.letrec<{ tree: Tree; inside: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leafOf(OUTSIDE),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((all): Tree => ({ all })),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((any): Tree => ({ any })),
    tie('tree').map((not): Tree => ({ not })),
    tie('inside').map((ofEmails): Tree => ({ ofEmails })),
  ),
  inside: fc.oneof(
    leafOf(['value', 'type', 'primary']),
    fc.array(leafOf(['value', 'type', 'primary']), { minLength: 2, maxLength: 2 }).map((all): Tree => ({ all })),
  ),
})).tree;

/** What a list is asked, as texts: so a query has them, and a body may. */
type Question = Record<'filter' | 'attributes', string> & Partial<Record<'startIndex' | 'count', string>>;

async function search(filter: string, startIndex = 1): Promise<{ totalResults: number; ids: string[] }> {
  const { status, body } = await directory.send('POST', '/Users/.search', { filter, startIndex, attributes: ['id'] });
  assert.equal(status, 200, `${filter}: ${JSON.stringify(body)}`);
  return { totalResults: body.totalResults, ids: body.Resources.map(({ id }: Json) => id) };
}

describe(`filters over ${PEOPLE} people`, () => {
  it(`${FILTERS} generated SCIM filters find the same people as a plain evaluator`, async () => {
    let found = 0;
    for (const tree of fc.sample(
      trees.filter((tree) => comparisons(tree) <= MAX_COMPARISONS),
      { numRuns: FILTERS, seed: SEED },
    )) {
      const filter = written(tree);
      const expected = people.filter((person) => isTrue(tree, person)).map(({ id }) => id);
      const { totalResults, ids } = await search(filter);
      assert.equal(totalResults, expected.length, filter);
      for (let start = 201; start <= totalResults && totalResults < 600; start += 200)
        ids.push(...(await search(filter, start)).ids);
      if (totalResults < 600) assert.deepEqual(ids.toSorted(), expected.toSorted(), filter);
      else assert.ok(new Set(ids).size === 200 && ids.every((id) => expected.includes(id)), filter);
      if (totalResults > 0 && totalResults < PEOPLE) found += 1;
    }
    assert.ok(found > FILTERS / 4, `only ${found} of them told people apart`);
  });

  it('SCIM filters by userName and externalId find one person', async () => {
    for (const filter of [
      'userName eq "USER.0@acme.example"',
      'externalId eq "Ext-1"',
      'active eq true and userName eq "user.0@acme.example"',
    ]) {
      assert.equal((await search(filter)).totalResults, filter.startsWith('active') ? 0 : 1, filter);
    }
  });

  for (const [way, ask] of [
    [
      'GET',
      (from: TestDirectory, question: Question) => from.send('GET', `/Users?${new URLSearchParams({ ...question })}`),
    ],
    ['POST', (from: TestDirectory, question: Question) => from.send('POST', '/Users/.search', question)],
  ] as const)
    it(`simultaneous SCIM filters by userName by ${way} find each person in their own company alone`, async () => {
      const other = await openDirectory(api, `Other ${way}`);
      const requested = people.slice(0, 100).flatMap(({ id, userName }, index) => {
        const filter = `userName eq "${index % 2 === 0 ? userName.toUpperCase() : userName}"`;
        const body = { filter, attributes: 'id' };
        return [
          { from: directory, body, ids: [id], total: 1 },
          { from: other, body, ids: [], total: 0 },
          {
            from: directory,
            body: { ...body, filter: `userName eq "nobody.${index}@acme.example"` },
            ids: [],
            total: 0,
          },
          { from: directory, body: { ...body, startIndex: '2' }, ids: [], total: 1 },
          { from: directory, body: { ...body, count: '0' }, ids: [], total: 1 },
        ];
      });
      const answers = await Promise.all(requested.map(({ from, body }) => ask(from, body)));
      for (const [index, { body }] of answers.entries()) {
        const { ids, total } = requested[index] ?? {};
        assert.deepEqual(
          [body.totalResults, body.Resources.map(({ id }: Json) => id)],
          [total, ids],
          `question ${index}`,
        );
      }
    });

  for (const [filter, why] of [
    ['userName eq "\\u0000"', 'a NUL'],
    ['userName eq "\\ud800"', 'half of a surrogate pair'],
    ['nickName eq "x"', 'an attribute that is not searched'],
    ['password eq "x"', 'a password'],
    ['emails[type eq "work"', 'a bracket that stays open'],
    ['userName eq', 'no value'],
    ['userName eq x', 'a word for a value'],
    ['userName is "x"', 'an unknown operator'],
    ['userName eq 5', 'a number for a text'],
    ['active gt true', 'an order of truths'],
    ['active co "t"', 'a part of a truth'],
    ['meta.lastModified gt "yesterday"', 'no date'],
    ['meta.lastModified co "2026"', 'a part of a date'],
    ['phoneNumbers[type eq "work"].value eq "1"', 'a list that is not searched'],
    ['userName eq "\\q"', 'a text that is none'],
    ['__proto__ eq "x"', 'a name that objects have'],
    ['(userName eq "x"', 'a parenthesis that stays open'],
    [`${'('.repeat(500)}active eq true${')'.repeat(500)} and`, 'nothing behind and'],
    [`${'not ('.repeat(40)}active eq true${')'.repeat(40)}`, 'forty denials'],
    [Array.from({ length: 21 }, () => 'active pr').join(' or '), 'twenty-one comparisons'],
    [`userName eq "${'x'.repeat(4_000)}"`, 'four thousand characters'],
  ] as const) {
    it(`a SCIM filter with ${why} returns 400 invalidFilter`, async () => {
      const { status, body } = await directory.send('POST', '/Users/.search', { filter });
      assert.deepEqual([status, body.status, body.scimType], [400, '400', 'invalidFilter'], body.detail);
    });
  }
});
