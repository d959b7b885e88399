import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { addRole } from '../support/people.ts';
import { describeChange, messageOf, openAdministration, personFields, userOf } from './administration.ts';
import { KINDS } from './resource-kinds.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, get, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

for (const { path, thing, noun, entity, needed, own, defaults, changes, stored } of KINDS) {
  const fields = () => ({ id: randomUUID(), companyId: home.id, ...needed(), ...own?.() });
  const create = (content: object, as = admin) => post(as, `${path}/create`, content);
  const update = (content: object, headers = {}, as = admin) => post(as, `${path}/update`, content, headers);
  const remove = (id: string, headers = {}, as = admin) => post(as, `${path}/delete`, { id }, headers);
  const read = (id: string, as = admin) => get(as, `${path}/get`, { id });
  const made = async () => dataOf<{ id: string }>(await create(fields())).id;
  const trailed = ({ scope, ...given }: Record<string, unknown>) => ({ ...given, ...stored?.({ scope }) });

  describe(`${path}: create`, () => {
    it(`${path}/create needs only required fields, and sets defaults for the others`, async () => {
      const given = fields();
      const response = await create(given);
      assert.equal(messageOf(response), `${thing} created successfully`);
      assert.deepEqual(withoutTimes(dataOf(response)), { ...given, ...defaults });
      const got = await read(given.id);
      assert.equal(messageOf(got), `${thing} retrieved successfully`);
      assert.deepEqual([got.json().data, got.headers.etag], [response.json().data, response.headers.etag]);
    });

    it(`${path}/create records the values in the trail`, async () => {
      const { id, ...given } = { ...fields(), ...changes() };
      const [change, ...more] = await changesOf(() => create({ id, ...given }));
      const added = Object.fromEntries(Object.entries(trailed(given)).map(([name, value]) => [name, [null, value]]));
      assert.deepEqual(change && describeChange(change), { what: `${entity} added`, id, fields: added });
      assert.deepEqual([change?.companyId, change?.actor.userId, more], [home.id, admin.id, []]);
    });

    it(`${path}/create returns the same entity when repeated, and 409 for other content or a foreign id`, async () => {
      const given = fields();
      const first = await create(given);
      const again = await withoutTrace(() => create({ ...given, id: given.id.toUpperCase(), ...sent(defaults) }));
      assert.deepEqual([again.json().data, again.headers.etag], [first.json().data, first.headers.etag]);
      const foreign = dataOf<{ id: string }>(await create({ ...fields(), companyId: other.id }, foreignAdmin));
      for (const content of [
        { ...given, name: 'Another' },
        { ...given, id: foreign.id },
      ]) {
        const { message } = assertRefused(await withoutTrace(() => create(content)), 409, 'ALREADY_EXISTS', ['id']);
        assert.equal(message, `Another ${noun} has this id already.`);
      }
      dataOf(await update({ id: given.id, name: 'Changed' }));
      assertRefused(await create(given), 409, 'ALREADY_EXISTS', ['id']);
    });

    it(`${path}/create accepts a name that is used already, and an id of an entity of another kind`, async () => {
      dataOf(await create(fields()));
      dataOf(await create(fields()));
      dataOf(await create({ ...fields(), id: home.id }));
    });

    it(`${path}/create returns all problems at once`, async () => {
      const { errors } = assertInvalid(
        await create({ id: '1', nam: 'X', active: true }),
        'id',
        'companyId',
        ...Object.keys(needed()),
        'nam',
        'active',
      );
      assert.equal(errors?.at(-1)?.message, 'active is not a field of this operation.');
    });
  });

  describe(`${path}: update`, () => {
    it(`${path}/update changes the sent fields, and records old and new values`, async () => {
      const given = fields();
      dataOf(await create(given));
      const changed = changes();
      // Which days the budgets of a department have depends on today.
      const withoutBudgets = ({ budgets, ...others }: Record<string, unknown>) => others;
      const [change, ...more] = await changesOf(async () => {
        const response = await update({ id: given.id, ...changed });
        assert.equal(messageOf(response), `${thing} updated successfully`);
        const expected = { ...given, ...defaults, ...changed };
        assert.deepEqual(withoutBudgets(withoutTimes(dataOf(response))), withoutBudgets(expected));
        assert.equal(response.headers.etag, (await read(given.id)).headers.etag);
      });
      const before: Record<string, unknown> = { ...given, ...defaults };
      const pairs = Object.entries(changed).map(([name, value]) => [name, [before[name], value]]);
      const described = describeChange(change ?? assert.fail());
      assert.deepEqual(
        { ...described, fields: withoutBudgets(described.fields) },
        { what: `${entity} changed`, id: given.id, fields: Object.fromEntries(pairs) },
      );
      assert.deepEqual(more, []);
    });

    it(`${path}/update that changes nothing leaves no trace`, async () => {
      const given = fields();
      const first = await create(given);
      const { id: _, companyId, ...own } = given;
      for (const same of [{}, own, { ...own, ...sent(defaults) }]) {
        const response = await withoutTrace(() => update({ id: given.id, ...same }));
        assert.equal(response.headers.etag, first.headers.etag);
      }
    });

    it(`${path}/update accepts the companyId that was read, and returns 400 for another`, async () => {
      const id = await made();
      await withoutTrace(() => update({ id, companyId: home.id }));
      const { errors } = assertInvalid(await update({ id, companyId: other.id }), 'companyId');
      assert.equal(errors?.[0]?.code, 'UNKNOWN_FIELD');
    });

    it(`${path}/update with a stale If-Match returns 412 and the current entity`, async () => {
      const id = await made();
      const { etag } = (await read(id)).headers;
      const next = await update({ id, name: 'First' }, { 'if-match': String(etag) });
      assert.equal(next.statusCode, 200);
      const stale = await withoutTrace(() => update({ id, name: 'Second' }, { 'if-match': String(etag) }));
      const { data } = assertRefused(stale, 412, 'PRECONDITION_FAILED');
      assert.deepEqual([data, stale.headers.etag], [dataOf(next), next.headers.etag]);
      assertInvalid(await update({ id, name: '' }, { 'if-match': '"stale"' }), 'name');
      assertRefused(await update({ id: randomUUID() }, { 'if-match': '"stale"' }), 404, 'NOT_FOUND');
    });
  });

  describe(`${path}: delete`, () => {
    it(`${path}/delete returns the deleted entity, and records its values in the trail once`, async () => {
      const given = { ...fields(), ...changes() };
      const created = dataOf<object>(await create(given));
      const [change, ...more] = await changesOf(async () => {
        const response = await remove(given.id);
        assert.equal(messageOf(response), `${thing} deleted successfully`);
        assert.deepEqual(dataOf<object>(response), created);
        for (const gone of [await remove(given.id), await read(given.id), await update({ id: given.id })]) {
          assert.equal(assertRefused(gone, 404, 'NOT_FOUND').message, `There is no ${noun} with this id.`);
        }
      });
      const { id, ...content } = given;
      const removed = Object.fromEntries(
        Object.entries(trailed(content)).map(([name, value]) => [name, [value, null]]),
      );
      assert.deepEqual(change && describeChange(change), { what: `${entity} removed`, id, fields: removed });
      assert.deepEqual(more, []);
    });

    it(`${path}/delete returns 412 for a stale If-Match, and 400 for any field but id`, async () => {
      const id = await made();
      assertRefused(await remove(id, { 'if-match': '"stale"' }), 412, 'PRECONDITION_FAILED');
      assertInvalid(await post(admin, `${path}/delete`, { id, force: true }), 'force');
      dataOf(await remove(id, { 'if-match': String((await read(id)).headers.etag) }));
    });

    it(`${path}/create accepts the id of a deleted entity`, async () => {
      const given = fields();
      dataOf(await create(given));
      dataOf(await remove(given.id));
      dataOf(await create({ ...given, name: 'Once more' }));
    });
  });

  it(`${path}: returns 404 to a manager of the company who is an admin of another one`, async () => {
    const id = await made();
    await addRole(api.db, foreignAdmin.id, 'MANAGER', home.id);
    dataOf(await read(id, foreignAdmin));
    for (const foreign of [await update({ id }, {}, foreignAdmin), await remove(id, {}, foreignAdmin)]) {
      assert.equal(assertRefused(foreign, 404, 'NOT_FOUND').message, `There is no ${noun} with this id.`);
    }
    assertRefused(await create(fields(), foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    await api.db.query(sql`
      delete from company_roles where user_id = ${foreignAdmin.id} and company_id = ${home.id}`);
  });
}

/** What was sent and what came of it, without when that was. */
function withoutTimes({
  createdAt,
  updatedAt,
  legalEntity: _,
  legalEntityId: __,
  ...fields
}: Record<string, unknown>): Record<string, unknown> {
  assert.ok(createdAt && updatedAt);
  return fields;
}

/** Those of the fields that a body may have. */
function sent({ _count, head, people, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return fields;
}

for (const [path, column] of [
  ['departments', 'departmentId'],
  ['bands', 'bandId'],
] as const) {
  describe(`${path} in use`, () => {
    const { noun, needed } = KINDS.find((kind) => kind.path === path) ?? { noun: '', needed: () => ({}) };
    const create = async () =>
      dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId: home.id, ...needed() })).id;
    const remove = (id: string) => post(admin, `${path}/delete`, { id });
    const refused = async (id: string, uses: string) => {
      const { message } = assertRefused(await withoutTrace(() => remove(id)), 409, 'IN_USE');
      assert.equal(message, `This ${noun} is in use by ${uses}.`);
    };

    it(`${path}/delete returns 409 while people are assigned, deactivated people included`, async () => {
      const id = await create();
      const people = [];
      for (const _ of [1, 2]) {
        people.push(userOf(await post(admin, 'users/create', { ...personFields(home), [column]: id })));
      }
      const [first, second] = people;
      userOf(await post(admin, 'users/update', { id: first?.id, active: false }));
      assert.deepEqual(dataOf<{ _count: object }>(await get(admin, `${path}/get`, { id }))._count, { users: 2 });
      await refused(id, '2 users');
      userOf(await post(admin, 'users/update', { id: first?.id, [column]: home[column] }));
      await refused(id, '1 user');
      userOf(await post(admin, 'users/update', { id: second?.id, [column]: home[column] }));
      dataOf(await remove(id));
    });

    it(`${path}/delete returns 409 for the default of the company`, async () => {
      const id = await create();
      const field = `default${column.charAt(0).toUpperCase()}${column.slice(1)}`;
      dataOf(await post(admin, 'companies/update', { id: home.id, [field]: id }));
      await refused(id, '1 company');
      userOf(await post(admin, 'users/create', personFields(home)));
      await refused(id, '1 company and 1 user');
      dataOf(await post(superAdmin, 'companies/update', { id: home.id, [field]: home[column] }));
      await refused(id, '1 user');
    });

    it(`${path}/get returns the same ETag when people join or leave`, async () => {
      const id = await create();
      const { etag } = (await get(admin, `${path}/get`, { id })).headers;
      userOf(await post(admin, 'users/create', { ...personFields(home), [column]: id }));
      assert.equal((await get(admin, `${path}/get`, { id })).headers.etag, etag);
      await add();
      dataOf(await post(admin, `${path}/update`, { id, name: 'Renamed' }, { 'if-match': String(etag) }));
    });
  });
}

it('bands/update accepts null for the booking limit, and for no other limit', async () => {
  const fields = { companyId: home.id, name: 'Senior', code: 'B9', maxBookingLimit: '5' };
  const { id } = dataOf<{ id: string }>(await post(admin, 'bands/create', fields));
  assertInvalid(
    await post(admin, 'bands/update', { id, autoApprovalLimit: null, name: null }),
    'name',
    'autoApprovalLimit',
  );
  const cleared = dataOf<{ maxBookingLimit: unknown }>(
    await post(admin, 'bands/update', { id, maxBookingLimit: null }),
  );
  assert.equal(cleared.maxBookingLimit, null);
});
