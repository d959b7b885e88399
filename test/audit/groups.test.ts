import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangeGroupView } from '../../src/audit/change-view.ts';
import { companyFields, openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { AUDIT_LIST, trailFor } from './trail.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, superAdmin, add, post } = administration;
await api.db.query(sql`update users set first_name = 'Asha', last_name = 'Rao' where id = ${admin.id}`);

async function groupsFor(as: Person, query: Record<string, string> = {}) {
  const response = await api.send({ url: AUDIT_LIST, as: as.email, query: { group: 'request', ...query } });
  return pageOf<ChangeGroupView>(response);
}

async function newest(as: Person, query: Record<string, string> = {}): Promise<ChangeGroupView> {
  const [group] = (await groupsFor(as, query)).items;
  return group ?? assert.fail('The trail has no group');
}

const countsOf = ({ counts }: ChangeGroupView) =>
  Object.fromEntries(counts.map(({ entity, action, count }) => [`${entity} ${action}`, count]));

async function addPeople(count: number): Promise<void> {
  const create = Array.from({ length: count }, () => ({ ...personFields(home), companyId: undefined }));
  assert.equal((await post(admin, 'users/save', { companyId: home.id, create })).statusCode, 200);
}

describe('the audit trail by request', () => {
  it('audit/list by request returns one item for a request, with counts and five subjects', async () => {
    await addPeople(12);
    const group = await newest(admin, { limit: '1' });
    assert.deepEqual(countsOf(group), { 'user added': 12, 'companyRole added': 12 });
    assert.equal(group.subjectCount, 12);
    assert.deepEqual(
      group.subjects.map(({ entity, name }) => [entity, name]),
      Array.from({ length: 5 }, () => ['user', 'Asha Rao']),
    );
    assert.equal(group.actorName, 'Asha Rao');
    assert.deepEqual([group.main.entity, group.main.action], ['user', 'added']);
    const changes = await trailFor(api, admin.email, { requestId: group.id });
    assert.equal(changes.length, 24);
    assert.deepEqual([...new Set(changes.map(({ requestId }) => requestId))], [group.requestId]);
  });

  it('audit/list by request names the added company first of all subjects', async () => {
    const fields = {
      ...companyFields(),
      name: 'Globex',
      firstAdmin: { ...personFields(home), companyId: undefined, id: undefined },
    };
    const company = dataOf<{ id: string }>(await post(superAdmin, 'companies/create', fields));
    const group = await newest(superAdmin);
    assert.deepEqual(group.subjects[0], { entity: 'company', id: company.id, name: 'Globex' });
    assert.equal(group.subjectCount, 5);
    assert.deepEqual(countsOf(group), {
      'company added': 1,
      'legalEntity added': 1,
      'taxRegistration added': 1,
      'user added': 1,
      'department added': 1,
      'band added': 1,
      'companyRole added': 1,
    });
    assert.equal(group.main.entityName, 'Globex');
  });

  it('audit/list by request names the policy as the subject of its levels, also after deletion', async () => {
    const levels = [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }];
    const fields = { companyId: home.id, name: 'Trips', autoApprovalLimit: '0.00', levels };
    const policy = dataOf<{ id: string }>(await post(admin, 'approval-policies/create', fields));
    const subjects = [{ entity: 'approvalPolicy', id: policy.id, name: 'Trips' }];
    assert.deepEqual((await newest(admin)).subjects, subjects);
    await post(admin, 'approval-policies/delete', { id: policy.id });
    const group = await newest(admin);
    assert.deepEqual(group.subjects, subjects);
    assert.deepEqual(countsOf(group), { 'approvalPolicy removed': 1, 'approvalPolicyLevel removed': 1 });
  });

  it('audit/list by request returns each request on one page, whatever is added meanwhile', async () => {
    for (const size of [3, 1, 2]) await addPeople(size);
    const all = (await groupsFor(admin, { limit: '100' })).items.map(({ id }) => id);
    assert.equal(new Set(all).size, all.length);
    const { totalItems } = (await groupsFor(admin, { limit: '1', page: '2' })).pagination;
    assert.equal(totalItems, all.length);
    const byPage = (await groupsFor(admin, { limit: '2', page: '2' })).items.map(({ id }) => id);
    assert.deepEqual(byPage, all.slice(2, 4));
    const read: string[] = [];
    for (let next: string | null = 'start'; next !== null; ) {
      const { items, pagination } = await groupsFor(admin, { limit: '2', after: next });
      read.push(...items.map(({ id }) => id));
      next = (pagination as unknown as { next: string | null }).next;
      await addPeople(1);
    }
    assert.deepEqual(read, all);
  });

  it('audit/list by request counts only changes that the caller may see and the filter selects', async () => {
    await addPeople(2);
    const { id } = await newest(admin);
    const [person] = await trailFor(api, admin.email, { requestId: id, entity: 'user' });
    const filtered = await newest(admin, { entity: 'companyRole', requestId: id });
    assert.deepEqual(countsOf(filtered), { 'companyRole added': 2 });
    assert.deepEqual(countsOf(await newest(admin, { userId: person?.entityId ?? '' })), {
      'user added': 1,
      'companyRole added': 1,
    });
    const stranger = await add({ company: other });
    assert.deepEqual((await groupsFor(stranger, { requestId: id })).items, []);
    assert.deepEqual(await trailFor(api, stranger.email, { requestId: id }), []);
  });

  it('audit/list by request separates callers who send the same X-Request-Id', async () => {
    const second = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const headers = { 'x-request-id': 'same' };
    for (const [as, name] of [
      [admin, 'A'],
      [second, 'B'],
    ] as const) {
      const fields = { companyId: home.id, name, costCode: name, budget: '1.00' };
      assert.equal((await post(as, 'departments/create', fields, headers)).statusCode, 200);
    }
    const { items } = await groupsFor(admin, { requestId: 'same' });
    assert.deepEqual(
      items.map(({ id, actor, subjects }) => [id, actor.userId, subjects[0]?.name]),
      [
        ['same', second.id, 'B'],
        ['same', admin.id, 'A'],
      ],
    );
  });

  it('audit/list by request has an item for each run of an import, and for each change of a command', async () => {
    const run = 'c0ffee00-0000-4000-8000-000000000001';
    await api.db.query(sql`
      insert into audit_changes (actor_kind, run_id, action, entity, entity_id, fields)
      select 'import', ${run}::uuid, 'added', 'band', gen_random_uuid(), '{}' from generate_series(1, 7) nr`);
    await api.db.query(sql`
      insert into audit_changes (actor_kind, action, entity, entity_id, fields)
      select 'command', 'added', 'apiKey', gen_random_uuid(), '{}' from generate_series(1, 2)`);
    const [first, second, imported] = (await groupsFor(superAdmin, { limit: '3' })).items;
    assert.ok(first && second && imported);
    assert.deepEqual([imported.id, imported.actor.kind, countsOf(imported)], [run, 'import', { 'band added': 7 }]);
    for (const { id, main, actor } of [first, second]) {
      assert.deepEqual([actor.kind, main.id], ['command', id]);
      assert.deepEqual(
        (await trailFor(api, superAdmin.email, { requestId: id })).map((change) => change.id),
        [id],
      );
    }
  });

  it('audit/list returns 400 for an unknown group and a request id that is too long', async () => {
    assertInvalid(await api.send({ url: AUDIT_LIST, as: admin.email, query: { group: 'day' } }), 'group');
    assertInvalid(
      await api.send({ url: AUDIT_LIST, as: admin.email, query: { requestId: 'x'.repeat(129) } }),
      'requestId',
    );
  });
});
