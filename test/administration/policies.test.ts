import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { ApprovalPolicyDetail } from '../../src/features/approval-policies/approval-policies-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { insertRow } from '../support/rows.ts';
import { describeChange, openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, admin, get, post, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

type Level = { id?: string; level?: unknown; roleRequired?: unknown; minAmount?: unknown };
const level = (number: number, minAmount: string, roleRequired = 'MANAGER') => ({
  level: number,
  roleRequired,
  minAmount,
});
const FIRST = level(1, '10.00');
const SECOND = level(2, '20.00', 'SUPER_ADMIN');

const create = (fields: object) =>
  post(admin, 'approval-policies/create', { companyId: home.id, name: 'Travel', ...fields });
const update = (id: string, fields: object, headers = {}) =>
  post(admin, 'approval-policies/update', { id, ...fields }, headers);
const policyOf = (response: Awaited<ReturnType<typeof post>>) => dataOf<ApprovalPolicyDetail>(response);
const make = async (...levels: Level[]) => policyOf(await create({ levels }));
const contents = ({ levels }: ApprovalPolicyDetail) => levels.map(({ id: _, ...content }) => content);

describe('levels of a policy', () => {
  it('approval-policies/create returns each level with an id, by ascending level', async () => {
    const policy = await make(SECOND, FIRST);
    assert.deepEqual(contents(policy), [FIRST, SECOND]);
    assert.deepEqual(policyOf(await get(admin, 'approval-policies/get', { id: policy.id })), policy);
  });

  it('approval-policies/create, repeated, compares levels in any order, and returns 409 for other levels', async () => {
    const fields = { id: randomUUID(), levels: [FIRST, { ...SECOND, minAmount: '20' }] };
    const policy = policyOf(await create(fields));
    assert.deepEqual(policyOf(await withoutTrace(() => create(fields))), policy);
    for (const levels of [[FIRST], [], [FIRST, { ...SECOND, minAmount: '21.00' }]]) {
      assertRefused(await withoutTrace(() => create({ ...fields, levels })), 409, 'ALREADY_EXISTS', ['id']);
    }
    assert.deepEqual(policyOf(await withoutTrace(() => create({ ...fields, levels: [SECOND, FIRST] }))), policy);
  });

  it('approval-policies/update replaces all levels, and keeps the ids of given and unchanged levels', async () => {
    const { id, levels } = await make(FIRST, SECOND);
    const [first, second] = levels;
    const third = level(3, '30.00', 'CORPORATE_ADMIN');
    const changed = { id: second?.id ?? '', ...level(4, '25.00') };
    const changes = await changesOf(async () => {
      const policy = policyOf(await update(id, { levels: [FIRST, changed, { ...third, minAmount: '20.00' }] }));
      assert.deepEqual(contents(policy), [FIRST, { ...third, minAmount: '20.00' }, level(4, '25.00')]);
      assert.deepEqual([policy.levels[0]?.id, policy.levels[2]?.id], [first?.id, second?.id]);
    });
    assert.deepEqual(
      changes.map((change) => [describeChange(change).what, describeChange(change).fields, change.companyId]),
      [
        [
          'approvalPolicyLevel changed',
          { level: [2, 4], roleRequired: ['SUPER_ADMIN', 'MANAGER'], minAmount: ['20.00', '25.00'] },
          home.id,
        ],
        [
          'approvalPolicyLevel added',
          {
            policyId: [null, id],
            level: [null, 3],
            roleRequired: [null, 'CORPORATE_ADMIN'],
            minAmount: [null, '20.00'],
            part: [null, 1],
            minApprovers: [null, 1],
            mode: [null, 'ANY'],
          },
          home.id,
        ],
      ],
    );
  });

  it('approval-policies/update swaps the numbers of two levels', async () => {
    const { id, levels } = await make(level(1, '10.00'), level(2, '10.00', 'SUPER_ADMIN'));
    const [one, two] = levels;
    const swapped = [
      { ...one, level: 2 },
      { ...two, level: 1 },
    ];
    assert.deepEqual(policyOf(await update(id, { levels: swapped })).levels, swapped.toReversed());
  });

  it('approval-policies/update keeps levels that are not sent, and leaves no trace if they are the same', async () => {
    const policy = await make(FIRST, SECOND);
    for (const fields of [{ name: 'Travel' }, { levels: [SECOND, FIRST] }, { levels: policy.levels }]) {
      assert.deepEqual(policyOf(await withoutTrace(() => update(policy.id, fields))), policy);
    }
    assert.deepEqual(policyOf(await update(policy.id, { name: 'Abroad' })).levels, policy.levels);
  });

  it('removed levels of a policy are recorded with their values, also when the policy is deleted', async () => {
    const { id, levels } = await make(FIRST);
    const gone = [
      { what: 'approvalPolicyLevel removed', id: levels[0]?.id },
      { what: 'approvalPolicyLevel removed', id: '' },
      { what: 'approvalPolicy removed', id },
    ];
    const changes = await changesOf(async () => {
      assert.deepEqual(policyOf(await update(id, { levels: [] })).levels, []);
      const again = policyOf(await update(id, { levels: [SECOND] }));
      if (gone[1]) gone[1].id = again.levels[0]?.id;
      assert.deepEqual(policyOf(await post(admin, 'approval-policies/delete', { id })), again);
    });
    const removed = changes.map(describeChange).filter(({ what }) => what.endsWith('removed'));
    assert.deepEqual(
      removed.map(({ what, id }) => ({ what, id })),
      gone,
    );
    assert.deepEqual(removed[1]?.fields.minAmount, ['20.00', null]);
  });

  it('approval-policies/create accepts 20 levels, and returns 400 for 21', async () => {
    const many = Array.from({ length: 21 }, (_, index) => level(index + 1, '5.00'));
    assert.equal((await make(...many.slice(1))).levels.length, 20);
    const { errors } = assertInvalid(await create({ levels: many }), 'levels');
    assert.equal(errors?.[0]?.code, 'TOO_LONG');
  });

  it('approval policies with contradicting levels return 400', async () => {
    const policy = await make(FIRST);
    const id = policy.levels[0]?.id;
    for (const [levels, field, code] of [
      [[FIRST, level(1, '10.00')], 'levels[1].level', 'DUPLICATE'],
      [[FIRST, level(2, '9.99')], 'levels[1].minAmount', 'OUT_OF_RANGE'],
      [[level(3, '9.99'), FIRST], 'levels[0].minAmount', 'OUT_OF_RANGE'],
    ] as const) {
      for (const response of [await create({ levels }), await update(policy.id, { levels })]) {
        assert.equal(assertInvalid(response, field).errors?.[0]?.code, code);
      }
    }
    const twice = [
      { id, ...FIRST },
      { id, ...SECOND },
    ];
    assertInvalid(await withoutTrace(() => update(policy.id, { levels: twice })), 'levels[1].id');
  });

  it('approval-policies/update accepts the id of a level only if it is one of the policy', async () => {
    const [policy, another] = [await make(FIRST), await make(FIRST)];
    const { errors } = assertInvalid(await create({ levels: [{ id: randomUUID(), ...FIRST }] }), 'levels[0].id');
    assert.equal(errors?.[0]?.code, 'UNKNOWN_FIELD');
    for (const id of [another.levels[0]?.id, randomUUID()]) {
      const wrong = await withoutTrace(() => update(policy.id, { name: 'X', levels: [SECOND, { ...FIRST, id }] }));
      assertInvalid(wrong, 'levels[1].id');
    }
    assertRefused(
      await update(policy.id, { levels: [{ ...FIRST, id: 'x' }] }, { 'if-match': '"x"' }),
      412,
      'PRECONDITION_FAILED',
    );
  });

  it('approval-policies/create returns every wrong field of every level at once', async () => {
    const levels = [{ level: 0, roleRequired: 'king', minAmount: '-1' }, {}, null, { ...FIRST, name: 'x' }];
    assertInvalid(
      await create({ levels }),
      'levels[0].level',
      'levels[0].roleRequired',
      'levels[0].minAmount',
      'levels[1].level',
      'levels[1].roleRequired',
      'levels[1].minAmount',
      'levels[2]',
      'levels[3].name',
    );
    for (const none of [null, {}, 'x', 1]) assertInvalid(await create({ levels: none }), 'levels');
  });
});

describe('policies that were imported', () => {
  it('imported policies and levels with UUIDs are found in either case of letters', async () => {
    const { id, levels } = await make(FIRST);
    const ID = id.toUpperCase();
    const known = levels[0]?.id ?? '';
    assert.equal(policyOf(await get(admin, 'approval-policies/get', { id: ID })).id, id);
    const evaluated = await get(admin, 'approval-policies/evaluate', { id: ID, amount: '15' });
    assert.equal(dataOf<{ policyId: string }>(evaluated).policyId, id);
    const kept = { id: known.toUpperCase(), ...FIRST };
    const renamed = policyOf(await update(ID, { name: 'Abroad', levels: [kept, SECOND] }));
    assert.deepEqual([renamed.id, renamed.name, renamed.levels[0]?.id], [id, 'Abroad', known]);
    const twice = [kept, { ...SECOND, id: known }];
    assertInvalid(await withoutTrace(() => update(ID, { levels: twice })), 'levels[1].id');
    for (const [entity, entityId, total] of [
      ['approvalPolicy', ID, 4],
      ['approvalPolicyLevel', known.toUpperCase(), 1],
    ] as const) {
      const trail = dataOf<unknown[]>(await get(admin, 'audit/list', { entity, entityId }));
      assert.equal(trail.length, total);
    }
    policyOf(await post(admin, 'approval-policies/delete', { id: ID }));
    assertRefused(await get(admin, 'approval-policies/get', { id }), 404, 'NOT_FOUND');
  });

  it('imported policies with ids that are not UUIDs are found only in the same case of letters', async () => {
    const row = { id: 'Policy-A', company_id: home.id, name: 'Old', auto_approval_limit: '1.00' };
    await insertRow(api.db, 'approval_policies', row);
    assert.equal(policyOf(await get(admin, 'approval-policies/get', { id: 'Policy-A' })).id, 'Policy-A');
    assertRefused(await get(admin, 'approval-policies/get', { id: 'policy-a' }), 404, 'NOT_FOUND');
    policyOf(await post(admin, 'approval-policies/delete', { id: 'Policy-A' }));
  });

  it('imported policies with any text as id can be read and changed', async () => {
    const id = 'p/1 ä';
    const row = { id, company_id: home.id, name: 'Old', auto_approval_limit: '1.00' };
    await insertRow(api.db, 'approval_policies', row);
    for (const [place, amount] of ['20.00', '10.00'].entries()) {
      const content = { level: place + 1, role_required: 'MANAGER', min_amount: amount };
      await insertRow(api.db, 'approval_policy_levels', { id: `l${place}`, policy_id: id, ...content });
    }
    assert.equal(policyOf(await get(admin, 'approval-policies/get', { id })).name, 'Old');
    const policy = policyOf(await update(id, { name: 'New' }));
    assert.deepEqual(
      policy.levels.map((each) => each.id),
      ['l0', 'l1'],
    );
    assert.deepEqual(policyOf(await update(id, { levels: policy.levels })), policy);
    const raised = policy.levels.map((level) => ({ ...level, minAmount: `1${level.minAmount}` }));
    assertInvalid(await update(id, { levels: raised }), 'levels[1].minAmount');
    const evaluated = await get(admin, 'approval-policies/evaluate', { id, amount: '5' });
    assert.equal(dataOf<{ decision: string }>(evaluated).decision, 'NOBODY_CAN_APPROVE');
    policyOf(await post(admin, 'approval-policies/delete', { id }));
    assertInvalid(await create({ id }), 'id');
    assertInvalid(await get(admin, 'approval-policies/get', { id: 'x'.repeat(101) }), 'id');
  });
});
