import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertInvalid, assertRefused, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type PersonOptions } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { AUDIT_LIST, EVENTS_LIST, endOfFeed, follow, trailFor } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

const A = await addCompany(api.db, 'A');
const B = await addCompany(api.db, 'B');
const shut = await addCompany(api.db, 'Shut', { active: false });
const ofA = await addPerson(api.db, { company: A });
const ofB = await addPerson(api.db, { company: B });
const ofShut = await addPerson(api.db, { company: shut });
const names = new Map([
  [ofA.id, 'a'],
  [ofB.id, 'b'],
  [ofShut.id, 'shut'],
] as const);
const platform = (role: 'SUPER_ADMIN' | 'PLATFORM_RM', active = true): PersonOptions => ({
  systemRole: { role, active },
});

/** Who sees what of three changes, one each of a person of A, of B and of a deactivated company; and the own change. */
const CASES: readonly (readonly [who: string, sees: string, PersonOptions])[] = [
  ['a person without a role', 'own', { company: A }],
  ['an employee of A', 'own', { company: A, roles: [['EMPLOYEE', A]] }],
  ['a manager of A', 'own', { company: A, roles: [['MANAGER', A]] }],
  ['a Corporate Admin of A', 'a own', { company: A, roles: [['CORPORATE_ADMIN', A]] }],
  ['a Corporate Admin of A whose own company is B', 'a own', { company: B, roles: [['CORPORATE_ADMIN', A]] }],
  [
    'a Corporate Admin of A and B',
    'a b own',
    {
      company: A,
      roles: [
        ['CORPORATE_ADMIN', A],
        ['CORPORATE_ADMIN', B],
      ],
    },
  ],
  ['a Corporate Admin of a deactivated company', 'own', { company: shut, roles: [['CORPORATE_ADMIN', shut]] }],
  ['a Platform RM', 'own', { company: A, ...platform('PLATFORM_RM') }],
  ['a Super Admin', 'a b own shut', { company: A, ...platform('SUPER_ADMIN') }],
  ['a Super Admin whose role is inactive', 'own', { company: A, ...platform('SUPER_ADMIN', false) }],
];

describe('who sees what of the audit trail and of the change feed', () => {
  let start = '';
  before(async () => {
    start = await endOfFeed(api, (await addPerson(api.db, platform('SUPER_ADMIN'))).email);
  });

  for (const [who, sees, options] of CASES) {
    it(`audit/list and events/list return to ${who} only the changes of: ${sees}`, async () => {
      const reader = await addPerson(api.db, options);
      const marker = randomUUID();
      for (const person of [ofA, ofB, ofShut, reader]) {
        await updateProfile(api, 'POST', person.email, { addressLine1: marker });
      }
      const seen = (items: Awaited<ReturnType<typeof follow>>['items']) =>
        items
          .filter(({ changes }) => changes.some(({ after }) => after === marker))
          .map(({ userId }) => names.get(userId ?? '') ?? (userId === reader.id ? 'own' : 'a stranger'))
          .sort()
          .join(' ');
      assert.equal(seen(await trailFor(api, reader.email)), sees);
      assert.equal(seen((await follow(api, reader.email, { after: start, limit: '1000' })).items), sees);

      const filtered = async (query: Record<string, string>) => seen(await trailFor(api, reader.email, query));
      const words = sees.split(' ');
      assert.equal(await filtered({ userId: ofB.id }), words.includes('b') ? 'b' : '');
      assert.equal(await filtered({ userId: reader.id }), 'own');
      const own = (company: typeof A) => (options.company === company ? ['own'] : []);
      for (const [name, company] of [
        ['a', A],
        ['b', B],
        ['shut', shut],
      ] as const) {
        const expected = [...words.filter((word) => word === name), ...own(company)].sort().join(' ');
        assert.equal(await filtered({ companyId: company.id }), expected, name);
      }
    });
  }

  it('audit/list returns the same to a Corporate Admin for a foreign and an unknown company or person', async () => {
    const { email } = await addPerson(api.db, { company: A, roles: [['CORPORATE_ADMIN', A]] });
    const answer = async (query: Record<string, string>) =>
      (await api.send({ url: AUDIT_LIST, as: email, query })).body;
    assert.equal(await answer({ companyId: B.id }), await answer({ companyId: randomUUID() }));
    assert.equal(await answer({ userId: ofB.id }), await answer({ userId: randomUUID() }));
  });

  it('a granted or revoked role changes what audit/list returns from the next request', async () => {
    const reader = await addPerson(api.db, { company: A, roles: [['CORPORATE_ADMIN', A]] });
    assert.notEqual((await trailFor(api, reader.email)).length, 0);
    await api.db.query(sql`delete from company_roles where user_id = ${reader.id}`);
    assert.deepEqual(await trailFor(api, reader.email), []);
    assert.deepEqual((await follow(api, reader.email)).items, []);
  });
});

describe('the audit list', () => {
  it('audit/list returns pages, newest first, with each change once', async () => {
    const person = await addPerson(api.db, { company: A });
    for (let count = 0; count < 12; count++) {
      await updateProfile(api, 'POST', person.email, { gender: `${count}` });
      // Some are published when the next ones are written.
      if (count === 5) await follow(api, person.email);
    }
    const first = pageOf(await api.send({ url: AUDIT_LIST, as: person.email }));
    assert.equal(first.items.length, 10);
    assert.deepEqual(first.pagination, {
      totalItems: 12,
      currentPage: 1,
      totalPages: 2,
      pageSize: 10,
      hasNextPage: true,
      hasPreviousPage: false,
    });
    const values: unknown[] = [];
    for (const page of ['1', '2', '3']) {
      const items = await trailFor(api, person.email, { page, limit: '5' });
      values.push(...items.map(({ changes: [field] }) => field?.after));
    }
    assert.deepEqual(
      values,
      Array.from({ length: 12 }, (_, index) => `${11 - index}`),
    );
  });

  it('audit/list and events/list refuse wrong parameters, and return 401 without a token', async () => {
    const query = { userId: 'me', companyId: '1', limit: '101', page: '0' };
    assertInvalid(await api.send({ url: AUDIT_LIST, as: ofA.email, query }), 'userId', 'companyId', 'page', 'limit');
    for (const url of [AUDIT_LIST, EVENTS_LIST]) {
      assertRefused(await api.send({ url }), 401, 'AUTHENTICATION_REQUIRED');
      assertRefused(await api.send({ url, method: 'POST', as: ofA.email }), 405, 'METHOD_NOT_ALLOWED');
    }
  });

  it('audit/list and events/list read what a caller may see from an index', async () => {
    await api.db.query(sql`
      insert into audit_changes (actor_kind, action, entity, entity_id, user_id, company_id, fields)
      select 'command', 'erased', 'user', number::text, gen_random_uuid(), gen_random_uuid(), '{}'
        from generate_series(1, 20000) number`);
    await api.db.query(sql`select publish_audit_changes(10000)`);
    await api.db.query(sql`analyze audit_changes`);
    const me = sql`user_id = ${ofA.id} or company_id in (${A.id}, ${B.id})`;
    const plans = [
      sql`explain select id from audit_changes where ${me} order by position desc nulls first, id desc limit 10`,
      sql`explain select count(*) from audit_changes where ${me}`,
      sql`explain select id from audit_changes where user_id = ${ofA.id} and position > 100 order by position limit 10`,
      sql`explain select id from audit_changes where position > 100 order by position limit 10`,
      sql`explain select id from audit_changes where position is null order by position, id limit 10`,
      sql`explain select id from audit_changes order by position desc nulls first, id desc limit 10`,
    ];
    for (const plan of plans) {
      const lines = await api.db.query<Record<string, string>>(plan);
      const text = lines.map((line) => line['QUERY PLAN']).join('\n');
      assert.doesNotMatch(text, /Seq Scan/, text);
    }
  });
});
