import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { PolicyCheckView } from '../../src/features/approval-policies/policy-check.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { openAdministration } from '../administration/administration.ts';
import { trailFor } from '../audit/trail.ts';
import { importFiles } from '../import/folders.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { uuid } from '../support/rows.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { add, api, home, other, admin, foreignAdmin, get, post } = administration;

interface Group {
  id: string;
  companyId: string;
  name: string;
  userIds: string[];
}
const approver = (firstName: string, limit: string, fields: object = {}) =>
  add({ columns: { first_name: firstName, approval_limit: limit, ...fields } });
const [low, high, gone] = [
  await approver('low', '100.00'),
  await approver('high', '9000.00'),
  await approver('gone', '99000.00', { active: false }),
];
const manager = await add({ roles: [['MANAGER', home]] });
let made = 0;
const group = async (userIds: readonly string[]): Promise<Group> =>
  dataOf(await post(admin, 'groups/create', { companyId: home.id, name: `Group ${++made}`, userIds }));
const policy = async (fields: object): Promise<string> =>
  dataOf<{ id: string }>(
    await post(admin, 'approval-policies/create', {
      companyId: home.id,
      name: `Policy ${++made}`,
      autoApprovalLimit: '10.00',
      scope: { active: false },
      ...fields,
    }),
  ).id;
const level = (groupId: string) => ({ level: 1, minAmount: '0.00', approver: { groupId } });
const byGroup = ({ id }: Group) => policy({ levels: [level(id)] });
const ask = async (id: string, amount: string) => {
  const { decision, steps } = dataOf<EvaluationView>(await post(admin, 'approval-policies/evaluate', { id, amount }));
  return [decision, ...steps.map(({ approvers }) => approvers.people.map(({ firstName }) => firstName).join(' '))];
};
/** What the check tells of a policy. */
const checked = async (id: string) => {
  const asked = await post(admin, 'approval-policies/check', { companyId: home.id });
  const found = dataOf<PolicyCheckView>(asked).policies.find((one) => one.id === id) ?? assert.fail();
  return [found.nobodyFrom, found.unreachableLevels.map(({ reason }) => reason)];
};
const sorted = (...people: Person[]) => people.map(({ id }) => id).sort();

describe('groups of a company', { concurrency: false }, () => {
  it('groups/create, get, list, update and delete return the group with its people', async () => {
    const first = await group([high.id, low.id, high.id]);
    assert.deepEqual(first.userIds, sorted(low, high));
    const got = await get(manager, 'groups/get', { id: first.id });
    assert.deepEqual(dataOf<Group>(got), first);
    const { items } = pageOf<Group>(await get(manager, 'groups/list', { companyId: home.id, search: first.name }));
    const { id, name, userIds } = first;
    assert.deepEqual(
      items.find((each) => each.id === id),
      { id, companyId: home.id, name, userIds, externalId: null },
    );
    const again = { id, companyId: home.id, name, userIds: [...userIds].reverse() };
    assert.deepEqual(dataOf<Group>(await post(admin, 'groups/create', again)), first);
    const renamed = dataOf<Group>(await post(admin, 'groups/update', { id, name: 'Board', userIds: [] }));
    assert.deepEqual([renamed.name, renamed.userIds], ['Board', []]);
    const { headers } = await get(admin, 'groups/get', { id });
    assertRefused(await post(admin, 'groups/delete', { id }, { 'if-match': '"other"' }), 412, 'PRECONDITION_FAILED');
    dataOf(await post(admin, 'groups/delete', { id }, { 'if-match': String(headers.etag) }));
    assertRefused(await get(admin, 'groups/get', { id }), 404, 'NOT_FOUND');
  });

  it('groups/create returns 400 for people of another company or too many, 409 for a name in another case, and 403 for a Manager', async () => {
    const { name } = await group([]);
    const given = { companyId: home.id, name: 'Wrong' };
    for (const userIds of [[foreignAdmin.id], [uuid(1)], ['no'], 'no', Array.from({ length: 201 }, () => randomUUID())])
      assertInvalid(await post(admin, 'groups/create', { ...given, userIds }), 'userIds');
    assertRefused(await post(admin, 'groups/create', { ...given, name: name.toUpperCase() }), 409, 'ALREADY_EXISTS', [
      'name',
    ]);
    assertRefused(await post(manager, 'groups/create', given), 403, 'ROLE_REQUIRED');
    assertRefused(await post(foreignAdmin, 'groups/create', given), 403, 'COMPANY_FORBIDDEN');
  });

  it('approval-policies/evaluate returns the working people of a group of the company, at a level and by default', async () => {
    const both = await group([low.id, high.id, gone.id]);
    const id = await byGroup(both);
    assert.deepEqual(await ask(id, '90'), ['APPROVAL_NEEDED', 'high low']);
    assert.deepEqual(await ask(id, '5000'), ['APPROVAL_NEEDED', 'high']);
    assert.equal((await ask(id, '9001'))[0], 'NOBODY_CAN_APPROVE');
    const levels = [{ level: 1, minAmount: '0.00', roleRequired: 'DEPARTMENT_HEAD' }];
    const byDefault = await policy({ levels, defaultApprovers: { userIds: [], groupId: both.id } });
    const decision = await post(admin, 'approval-policies/evaluate', { id: byDefault, userId: low.id, amount: '5000' });
    assert.equal(dataOf<EvaluationView>(decision).decision, 'APPROVAL_NEEDED');
  });

  it('approval-policies/check and evaluate return that an empty group approves nothing', async () => {
    const empty = await group([]);
    const id = await byGroup(empty);
    assert.equal((await ask(id, '11'))[0], 'NOBODY_CAN_APPROVE');
    assert.deepEqual(await checked(id), ['10.01', ['NOBODY']]);
    dataOf(await post(admin, 'groups/update', { id: empty.id, userIds: [high.id] }));
    assert.deepEqual(await checked(id), ['9000.01', []]);
  });

  it('approval-policies/check and evaluate return the amount from which two of a group are too few', async () => {
    const { id: groupId } = await group([high.id]);
    const id = await policy({ levels: [{ ...level(groupId), minApprovers: 2 }] });
    assert.equal((await ask(id, '11'))[0], 'NOBODY_CAN_APPROVE');
    assert.deepEqual(await checked(id), ['10.01', ['NOBODY']]);
    dataOf(await post(admin, 'groups/update', { id: groupId, userIds: [high.id, low.id] }));
    assert.deepEqual(
      [(await ask(id, '100'))[0], (await ask(id, '100.01'))[0]],
      ['APPROVAL_NEEDED', 'NOBODY_CAN_APPROVE'],
    );
    assert.deepEqual(await checked(id), ['100.01', []]);
  });

  it('approval-policies/create and update return 400 for a group of another company, and groups/delete 409 for one in use', async () => {
    const foreign = dataOf<Group>(await post(foreignAdmin, 'groups/create', { companyId: other.id, name: 'Theirs' }));
    const own = await group([high.id]);
    const given = { companyId: home.id, name: 'Wrong', levels: [level(foreign.id)] };
    assertInvalid(await post(admin, 'approval-policies/create', given), 'levels[0].approver.groupId');
    const id = await byGroup(own);
    const defaults = { id, defaultApprovers: { userIds: [], groupId: foreign.id } };
    assertInvalid(await post(admin, 'approval-policies/update', defaults), 'defaultApprovers.groupId');
    const inUse = async (use: RegExp) =>
      assert.match(assertRefused(await post(admin, 'groups/delete', { id: own.id }), 409, 'IN_USE').message, use);
    await inUse(/in use by 1 level\./);
    dataOf(await post(admin, 'approval-policies/update', { id, defaultApprovers: { userIds: [], groupId: own.id } }));
    await inUse(/1 approval policy and 1 level|1 level and 1 approval policy/);
    dataOf(await post(admin, 'approval-policies/delete', { id }));
    dataOf(await post(admin, 'groups/delete', { id: own.id }));
  });

  it('a policy names a group that is there, and loses one that its directory removes', async () => {
    const [key, groupId] = [randomUUID(), randomUUID()];
    await api.db.query(sql`
      insert into api_keys (id, company_id, name, prefix, hash, scopes)
      values (${key}, ${home.id}, 'Directory', 'odk_directo', ${'b'.repeat(64)}, 'scim')`);
    await api.db.query(sql`
      insert into directory_groups (id, company_id, api_key_id, display_name) values (${groupId}, ${home.id}, ${key}, 'Sent')`);
    await api.db.query(sql`insert into directory_group_members (group_id, user_id) values (${groupId}, ${high.id})`);
    const id = await policy({ levels: [level(groupId)], defaultApprovers: { userIds: [low.id], groupId } });
    assert.deepEqual(await ask(id, '500'), ['APPROVAL_NEEDED', 'high']);
    await api.db.query(sql`delete from directory_groups where id = ${groupId}::uuid`);
    const found = dataOf<{ levels: { approver: object }[]; defaultApprovers: object }>(
      await get(admin, 'approval-policies/get', { id }),
    );
    assert.deepEqual([found.levels[0]?.approver, found.defaultApprovers], [{}, { userIds: [low.id], groupId: null }]);
    await assert.rejects(
      Promise.resolve(
        api.db.query(sql`update approval_policies set default_group_id = ${groupId}::uuid where id = ${id}`),
      ),
      /there is no group/,
    );
    const own = await group([low.id]);
    await byGroup(own);
    await assert.rejects(
      Promise.resolve(api.db.query(sql`delete from company_groups where id = ${own.id}::uuid`)),
      /approval policies name the group/,
    );
  });

  it('users/update returns the policies of which the last approver of a group leaves', async () => {
    const last = await approver('last', '700.00');
    const id = await policy({ levels: [level((await group([last.id])).id)], scope: { priority: 7 } });
    const leaves = dataOf<{ leaves: { policies: { id: string }[] } }>(
      await post(admin, 'users/update', { id: last.id, active: false }),
    ).leaves;
    assert.ok(leaves.policies.some((one) => one.id === id));
  });

  it('an erased person is in no group, and the history names the people of a group', async () => {
    const erased = await approver('erased', '1.00');
    const { id } = await group([erased.id, high.id]);
    await erasePerson(api.db, erased.id);
    assert.deepEqual(dataOf<Group>(await get(admin, 'groups/get', { id })).userIds, [high.id]);
    const [change] = await trailFor(api, admin.email, { entity: 'group', entityId: id });
    assert.match(String(change?.names[high.id]), /^high /);
  });

  it('a folder brings groups with people and policies that name them, and is refused for people and groups that are not there', async () => {
    const [id, policyId] = [randomUUID(), randomUUID()];
    const groups = (people: string) => `id,companyId,name,userIds\n${id},${home.id},Brought,${people}\n`;
    const policies = (groupId: string) =>
      `id,companyId,name,autoApprovalLimit,priority,active,defaultGroupId\n${policyId},${home.id},Brought,1.00,90,false,${groupId}\n`;
    await importFiles(api.db, {
      'groups.csv': groups(`${low.id} ${high.id}`),
      'approval-policies.csv': policies(id),
    });
    assert.deepEqual(dataOf<Group>(await get(admin, 'groups/get', { id })).userIds, sorted(low, high));
    await assert.rejects(
      importFiles(api.db, { 'groups.csv': groups(foreignAdmin.id), 'approval-policies.csv': policies(uuid(5)) }),
      (error: Error & { problems?: { reason?: string }[] }) => {
        assert.match(JSON.stringify(error.problems ?? error.message), /no user of the company/);
        assert.match(JSON.stringify(error.problems ?? error.message), /no group/);
        return true;
      },
    );
  });
});
