import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ApprovalPolicyDetail } from '../../src/features/approval-policies/approval-policies-schemas.ts';
import { describeChange, openAdministration } from '../administration/administration.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import { AUDIT_LIST, trailFor } from './trail.ts';

const administration = await openAdministration();
const { api, home, admin, foreignAdmin, superAdmin, post } = administration;
after(() => administration[Symbol.asyncDispose]());

const trailOf = async (entity: string, entityId: string, as = admin) =>
  (await trailFor(api, as.email, { entity, entityId })).map((change) => describeChange(change).what);

describe('the history of one entity', () => {
  it('audit/list of one entity returns all its changes up to its removal, and no others', async () => {
    const id = randomUUID();
    const fields = { companyId: home.id, name: 'Research', costCode: 'R-1' };
    dataOf(await post(admin, 'departments/create', { id, ...fields }));
    dataOf(await post(admin, 'departments/create', { ...fields, costCode: 'R-2' }));
    dataOf(await post(admin, 'departments/update', { id, name: 'Research and Development' }));
    dataOf(await post(admin, 'departments/delete', { id }));
    const history = ['department removed', 'department changed', 'department added'];
    assert.deepEqual(await trailOf('department', id), history);
    assert.deepEqual(await trailOf('department', id, superAdmin), history);
    assert.deepEqual(await trailOf('department', id, foreignAdmin), []);
    assert.deepEqual(await trailOf('band', id), []);
  });

  it('audit/list of a policy includes its levels, removed levels too', async () => {
    const level = (number: number) => ({ level: number, roleRequired: 'MANAGER', minAmount: `${number}.00` });
    const create = async (name: string) =>
      dataOf<ApprovalPolicyDetail>(
        await post(admin, 'approval-policies/create', { companyId: home.id, name, levels: [level(1), level(2)] }),
      );
    const [{ id }] = [await create('Travel'), await create('Hotels')];
    dataOf(await post(admin, 'approval-policies/update', { id, levels: [level(1)] }));
    const added = ['approvalPolicyLevel added', 'approvalPolicyLevel added', 'approvalPolicy added'];
    assert.deepEqual(await trailOf('approvalPolicy', id), ['approvalPolicyLevel removed', ...added]);
    dataOf(await post(admin, 'approval-policies/delete', { id }));
    assert.equal((await trailOf('approvalPolicy', id)).length, 6);
  });

  it('audit/list returns the history of a person, and of each of their roles', async () => {
    const { id } = await administration.add();
    dataOf(await post(admin, 'users/update', { id, addressLine1: '1 Park Street' }));
    dataOf(await post(admin, 'users/grant-role', { userId: id, companyId: home.id, role: 'MANAGER' }));
    dataOf(await post(superAdmin, 'users/grant-role', { userId: id, role: 'PLATFORM_RM' }));
    const [role] = await trailFor(api, admin.email, { entity: 'companyRole', userId: id });
    for (const as of [admin, superAdmin]) {
      assert.deepEqual(await trailOf('user', id, as), ['user changed']);
      assert.deepEqual(await trailOf('companyRole', role?.entityId ?? '', as), ['companyRole added']);
      assert.deepEqual(await trailOf('user', 'no such id', as), []);
    }
    assert.deepEqual(await trailOf('systemRole', id, superAdmin), ['systemRole added']);
    assert.deepEqual(await trailOf('user', id, foreignAdmin), []);
  });

  it('audit/list of one kind returns the changes of all its entities', async () => {
    const bands = await trailFor(api, admin.email, { entity: 'band' });
    assert.deepEqual(
      bands.map(({ entity, companyId }) => [entity, companyId]),
      [['band', home.id]],
    );
  });

  it('audit/list returns 400 for an entity id without a kind, and for an unknown kind', async () => {
    const list = (query: Record<string, string>) => api.send({ url: AUDIT_LIST, as: admin.email, query });
    assertInvalid(await list({ entityId: randomUUID() }), 'entity');
    assertInvalid(await list({ entity: 'booking', entityId: 'x'.repeat(101) }), 'entity', 'entityId');
  });

  it('audit/list reads the history of one entity from an index', async () => {
    await api.db.query(sql`
      insert into audit_changes (actor_kind, action, entity, entity_id, company_id, fields, field_values)
      select 'command', 'added', case when number % 2 = 0 then 'department' else 'approvalPolicyLevel' end, number::text, ${home.id}, '{}',
             jsonb_build_object('policyId', jsonb_build_array(null, (number / 4)::text))
        from generate_series(1, 20000) number`);
    await api.db.query(sql`analyze audit_changes`);
    const plans = [
      sql`explain select id from audit_changes where entity = ${'department'} and entity_id = ${'7'} and user_id is null`,
      sql`explain select entity_id from audit_changes where entity = 'approvalPolicyLevel'
        and user_id is null and coalesce(field_values -> 'policyId' ->> 1, field_values -> 'policyId' ->> 0) = ${'7'}`,
    ];
    for (const plan of plans) {
      const lines = await api.db.query<Record<string, string>>(plan);
      assert.match(lines.map((line) => line['QUERY PLAN']).join('\n'), /audit_changes_(thing|level)/);
    }
    assert.equal((await trailOf('approvalPolicy', '7', superAdmin)).length, 2);
  });
});
