import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertInvalid, assertRefused, dataOf, type ErrorBody } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { describeChange, messageOf, openAdministration, personFields, userOf } from './administration.ts';

const TAKEN =
  'Another user has this email already. If it is a person of another company, ask for them by users/request-move.';

const { db, roundTrips } = recordStatements(await openTestDatabase());
const administration = await openAdministration(async () => db);
const { home, other, superAdmin, admin, foreignAdmin, get, post, add, addCompany, changesOf, withoutTrace } =
  administration;
after(() => administration[Symbol.asyncDispose]());

const save = (fields: object, as: Person = admin) => post(as, 'users/save', { companyId: home.id, ...fields });
const joiner = () => {
  const { companyId: _, ...fields } = personFields(home);
  return fields;
};
const userWith = async (id: string) => userOf(await get(superAdmin, 'users/get', { id }));

/** Returns what a save counts, without the ids of the new people. */
function countsIn(answer: Parameters<typeof dataOf>[0]) {
  const { added, changed, unchanged } = dataOf<{ added: number; changed: number; unchanged: number }>(answer);
  return { added, changed, unchanged };
}

describe('users/save', () => {
  it('users/save adds and changes people by the rules of the single operations, and counts them', async () => {
    const [changed, same] = [await add(), await add()];
    const [first, second] = [joiner(), { ...joiner(), roles: ['MANAGER', 'EMPLOYEE'], approvalLimit: '5' }];
    const response = await save({
      create: [first, second],
      update: [
        { id: changed.id, lastName: 'Renamed' },
        { id: same.id, email: same.email },
      ],
    });
    assert.equal(messageOf(response), 'Users saved successfully');
    assert.deepEqual(countsIn(response), { added: 2, changed: 1, unchanged: 1 });
    assert.equal((await userWith(changed.id)).lastName, 'Renamed');
    const { roles, approvalLimit, departmentId, bandId, company } = await userWith(second.id);
    assert.deepEqual([roles, approvalLimit], [['EMPLOYEE', 'MANAGER'], '5.00']);
    assert.deepEqual([departmentId, bandId, company.id], [home.departmentId, home.bandId, home.id]);
    assert.deepEqual((await userWith(first.id)).roles, ['EMPLOYEE']);
  });

  it('users/save records one change in the trail for each person and role', async () => {
    const { id } = await add();
    const one = joiner();
    const changes = await changesOf(() => save({ create: [one], update: [{ id, lastName: 'Told' }] }));
    assert.deepEqual(
      changes.map((change) => [describeChange(change).what, change.actor.userId]),
      ['user changed', 'user added', 'companyRole added'].map((what) => [what, admin.id]),
    );
    assert.deepEqual(new Set(changes.map(({ requestId }) => requestId)).size, 1);
  });

  it('users/save returns unchanged people when a request is repeated, also in part', async () => {
    const [one, two] = [joiner(), joiner()];
    dataOf(await save({ create: [one] }));
    assert.deepEqual(countsIn(await save({ create: [two, one] })), { added: 1, changed: 0, unchanged: 1 });
    const again = await withoutTrace(() => save({ create: [one, two] }));
    assert.deepEqual(countsIn(again), { added: 0, changed: 0, unchanged: 2 });
  });

  it('users/save gives a new person the address that a change in the same request frees', async () => {
    const { id, email } = await add();
    const update = [{ id, email: `${randomUUID()}@moved.example` }];
    assert.deepEqual(countsIn(await save({ create: [{ ...joiner(), email }], update })), {
      added: 1,
      changed: 1,
      unchanged: 0,
    });
  });

  it('users/save writes nothing if anything is wrong, and names the path of each field', async () => {
    const { id } = await add();
    const update = [{ id, lastName: 'Never' }];
    await withoutTrace(async () => {
      const wrong = await save({ create: [joiner(), { ...joiner(), email: 'none' }], update: [{ id, phone: 'x' }] });
      assertInvalid(wrong, 'create[1].email', 'update[0].phone');
      const twice = joiner();
      const create = [twice, { ...joiner(), email: twice.email.toUpperCase() }];
      assertInvalid(await save({ create, update: [...update, ...update] }), 'create[1].email', 'update[1].id');
      const foreign = { departmentId: other.departmentId, bandId: other.bandId };
      assertInvalid(
        await save({ create: [joiner(), { ...joiner(), ...foreign }, { ...joiner(), ...foreign }], update }),
        'create[1].departmentId',
        'create[1].bandId',
        'create[2].departmentId',
        'create[2].bandId',
      );
      assertInvalid(await save({ update: [...update, { id, departmentId: other.departmentId }] }), 'update[1].id');
      assertInvalid(await save({ create: [{ ...joiner(), companyId: home.id }], update }), 'create[0].companyId');
      assertInvalid(await save({ create: [1], update: {} }), 'update', 'create[0]');
      assertInvalid(await save({}), 'create');
      const { errors } = (await save({ update: Array.from({ length: 200 }, () => ({ id: 1 })) })).json<ErrorBody>();
      assert.equal(errors?.length, 100);
      assertInvalid(await save({ create: Array.from({ length: 501 }, () => 1) }), 'create');
    });
  });

  it('users/save returns all taken ids and addresses at once, and leaves a line in the trail', async () => {
    const [there, foreign] = [await add(), await add({ company: other })];
    const changes = await changesOf(async () => {
      const create = [
        joiner(),
        { ...joiner(), email: there.email.toUpperCase() },
        { ...joiner(), email: foreign.email },
        { ...joiner(), id: foreign.id },
      ];
      assertRefused(await save({ create }), 409, 'ALREADY_EXISTS', [
        'create[1].email',
        'create[2].email',
        'create[3].id',
      ]);
      const update = [{ id: there.id, email: foreign.email }];
      assertRefused(await save({ create: [joiner()], update }), 409, 'ALREADY_EXISTS', ['update[0].email']);
    });
    assert.deepEqual(
      changes.map((change) => [describeChange(change).what, change.entityId, change.companyId, change.actor.userId]),
      [1, 2].map(() => ['company refused', home.id, home.id, admin.id]),
    );
    assert.deepEqual(
      changes.map((change) => describeChange(change).fields),
      [
        { create: [null, 4], update: [null, 0] },
        { create: [null, 1], update: [null, 1] },
      ],
    );
  });

  it('users/save returns at most ten taken values', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => add({ company: other })));
    const create = people.map(({ email }) => ({ ...joiner(), email }));
    const fields = create.slice(0, 10).map((_, index) => `create[${index}].email`);
    const { message } = assertRefused(await save({ create }), 409, 'ALREADY_EXISTS', fields);
    assert.ok(message.endsWith('the first 10 are reported.'), message);
  });

  it('users/save changes 120 people in fewer than 20 round trips to the database', async () => {
    const people = await Promise.all(Array.from({ length: 120 }, () => add()));
    roundTrips.length = 0;
    const update = people.map(({ id }) => ({ id, lastName: 'Moved' }));
    assert.deepEqual(countsIn(await save({ update })), { added: 0, changed: 120, unchanged: 0 });
    assert.ok(roundTrips.length < 20, `${roundTrips.length} round trips`);
  });

  it('users/save reads the departments and bands of all people in few round trips to the database', async () => {
    const made = async (path: string, fields: object) =>
      dataOf<{ id: string }>(await post(admin, path, { companyId: home.id, ...fields })).id;
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const assignments = await Promise.all(
      numbers.map(async (number) => ({
        departmentId: await made('departments/create', { name: `D${number}`, costCode: `D${number}`, budget: '1.00' }),
        bandId: await made('bands/create', { name: `B${number}`, code: `B${number}` }),
      })),
    );
    const update = await Promise.all(assignments.map(async (fields) => ({ id: (await add()).id, ...fields })));
    const create = assignments.map((fields) => ({ ...joiner(), ...fields }));
    roundTrips.length = 0;
    assert.deepEqual(countsIn(await save({ create, update })), { added: 20, changed: 20, unchanged: 0 });
    assert.deepEqual(countsIn(await save({ create, update })), { added: 0, changed: 0, unchanged: 40 });
    assert.ok(roundTrips.length < 30, `${roundTrips.length} round trips`);
    const foreign = { id: update[0]?.id, departmentId: other.departmentId, bandId: assignments[0]?.bandId };
    assertInvalid(await save({ update: [foreign] }), 'update[0].departmentId');
    assertInvalid(
      await save({ create: [joiner(), { ...joiner(), departmentId: other.departmentId, bandId: other.bandId }] }),
      'create[1].departmentId',
      'create[1].bandId',
    );
  });

  it('users/save reports the first change that conflicts, and not the changes after it', async () => {
    const [there, first, second, last] = [await add({ company: other }), await add(), await add(), await add()];
    const update = [
      { id: first.id, email: there.email },
      { id: second.id, lastName: 'Never' },
      { id: last.id, departmentId: other.departmentId },
    ];
    const before = await Promise.all([first, second, last].map(({ id }) => userWith(id)));
    assertRefused(await save({ update }), 409, 'ALREADY_EXISTS', ['update[0].email']);
    assert.deepEqual(await Promise.all([first, second, last].map(({ id }) => userWith(id))), before);
  });

  it('users/save treats people of another company as if they did not exist', async () => {
    const stranger = await add({ company: other });
    const answers = await withoutTrace(async () => [
      await save({ update: [{ id: stranger.id, lastName: 'Never' }] }),
      await save({ update: [{ id: randomUUID(), lastName: 'Never' }] }),
      await save({ update: [{ id: stranger.id, lastName: 'Never' }] }, superAdmin),
    ]);
    const without = answers.map(({ json }) => json<ErrorBody>().errors);
    assert.deepEqual([without[1], without[2]], [without[0], without[0]]);
    assertInvalid(answers[0] ?? assert.fail(), 'update[0].id');
    for (const company of [other.id, randomUUID()]) {
      assertRefused(await save({ companyId: company, create: [joiner()] }), 403, 'COMPANY_FORBIDDEN');
    }
    assertRefused(await save({ create: [joiner()] }, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await save({ companyId: randomUUID(), create: [joiner()] }, superAdmin), 403, 'COMPANY_FORBIDDEN');
  });

  it('users/save applies the rules about people, and returns the index of the item', async () => {
    const guarded = await add({ roles: [['EMPLOYEE', other]] });
    const changes = { create: [joiner()], update: [{ id: (await add()).id, lastName: 'Never' }] };
    await withoutTrace(async () => {
      for (const [patch, status, code] of [
        [{ id: guarded.id, email: `new-${guarded.email}` }, 403, 'PROTECTED_USER'],
        [{ id: admin.id, approvalLimit: '9999999.00' }, 403, 'OWN_LIMIT'],
      ] as const) {
        assertRefused(await save({ ...changes, update: [...changes.update, patch] }), status, code, ['update[1]']);
      }
    });
  });

  it('users/save returns 409 for a request that deactivates every Corporate Admin', async () => {
    const company = await addCompany();
    const admins = await Promise.all([1, 2].map(() => add({ company, roles: [['CORPORATE_ADMIN', company]] })));
    const update = admins.map(({ id }) => ({ id, active: false }));
    const [by = assert.fail()] = admins;
    assertRefused(await save({ companyId: company.id, update }, by), 409, 'LAST_ADMIN', ['update[1]']);
    assert.equal((await userWith(by.id)).active, true);
  });

  it('users/save deactivates the last Corporate Admins if the same request adds a new one', async () => {
    const company = await addCompany();
    const admins = await Promise.all([1, 2].map(() => add({ company, roles: [['CORPORATE_ADMIN', company]] })));
    const { companyId: _, ...fields } = personFields(company);
    const update = admins.map(({ id }) => ({ id, active: false }));
    const [by = assert.fail()] = admins;
    const guest = [{ ...fields, roles: ['MANAGER'] }];
    assertRefused(await save({ companyId: company.id, update, create: guest }, by), 409, 'LAST_ADMIN', ['update[1]']);
    const create = [{ ...fields, roles: ['CORPORATE_ADMIN'] }];
    const saved = dataOf<{ added: number; changed: number }>(
      await save({ companyId: company.id, update, create }, superAdmin),
    );
    assert.deepEqual([saved.added, saved.changed], [1, 2]);
    const others = await Promise.all([1, 2].map(() => add({ company, roles: [['CORPORATE_ADMIN', company]] })));
    const [another = assert.fail()] = others;
    const last = others.map(({ id }) => ({ id, active: false }));
    const next = [{ ...personFields(company), companyId: undefined, roles: ['CORPORATE_ADMIN'] }];
    assert.equal((await save({ companyId: company.id, update: last, create: next }, another)).statusCode, 200);
  });

  it('users/save lets people take addresses and numbers from each other, with one change each', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    const number = `N-${randomUUID()}`;
    await save({ update: [{ id: first.id, employment: { employeeNumber: number } }] });
    const changes = await changesOf(async () => {
      const update = [
        { id: first.id, email: second.email, employment: { employeeNumber: null } },
        { id: second.id, email: third.email, employment: { employeeNumber: number } },
        { id: third.id, email: first.email, lastName: 'Third' },
      ];
      const saved = dataOf<{ changed: number }>(await save({ update }));
      assert.equal(saved.changed, 3);
    });
    assert.deepEqual(changes.map(({ userId }) => userId).sort(), [first.id, second.id, third.id].sort());
    const now = await Promise.all([first, second, third].map(({ id }) => userWith(id)));
    assert.deepEqual(
      now.map(({ email }) => email),
      [second.email, third.email, first.email],
    );
    assert.equal(now[2]?.lastName, 'Third');
  });

  it('users/save returns 409 with the item and field of an address that somebody keeps', async () => {
    const [first, second, keeper] = [await add(), await add(), await add()];
    const { message, errors = [] } = assertRefused(
      await save({
        update: [
          { id: first.id, email: second.email },
          { id: second.id, email: keeper.email },
        ],
      }),
      409,
      'ALREADY_EXISTS',
      ['update[1].email'],
    );
    assert.equal(message, TAKEN);
    assert.equal(errors[0]?.message, message);
    const create = [joiner(), { ...joiner(), email: keeper.email }];
    const taken = assertRefused(await save({ create }), 409, 'ALREADY_EXISTS', ['create[1].email']);
    assert.deepEqual(taken.errors, [{ field: 'create[1].email', code: 'ALREADY_EXISTS', message: TAKEN }]);
  });

  it('users/save returns 409 for the second of two people with the same new address or number', async () => {
    const [first, second] = [await add(), await add()];
    const email = `${randomUUID()}@twice.example`;
    const update = [
      { id: first.id, email },
      { id: second.id, email: email.toUpperCase() },
    ];
    assertRefused(await save({ update }), 409, 'ALREADY_EXISTS', ['update[1].email']);
    const employment = { employeeNumber: `N-${randomUUID()}` };
    const create = [joiner(), joiner()].map((person) => ({ ...person, employment }));
    assertRefused(await save({ create }), 409, 'ALREADY_EXISTS', ['create[1].employment.employeeNumber']);
  });

  it('users/save returns 409 for reactivating a person whose address somebody else has taken meanwhile', async () => {
    const { id, email } = await add();
    await db.query(sql`
      update users set active = false, email = id || '@deleted.invalid' where id = ${id}`);
    await db.query(sql`
      insert into scim_users (user_id, company_id, deleted_at, deleted_user_name) values (${id}, ${home.id}, now(), ${email})`);
    const holder = await add();
    dataOf(await save({ update: [{ id: holder.id, email }] }));
    const update = [
      { id: holder.id, lastName: 'Holder' },
      { id, active: true },
    ];
    assertRefused(await save({ update }), 409, 'ALREADY_EXISTS', ['update[1].email']);
    dataOf(
      await save({
        update: [
          { id: holder.id, email: holder.email },
          { id, active: true },
        ],
      }),
    );
    assert.deepEqual((({ email: now, active }) => [now, active])(await userWith(id)), [email, true]);
  });

  it('users/save returns 400 for a new person without department and band if the company has no defaults', async () => {
    const company = await addCompany();
    const none = { id: company.id, defaultDepartmentId: null, defaultBandId: null };
    dataOf(await post(superAdmin, 'companies/update', none));
    const response = await save({ companyId: company.id, create: [joiner()] }, superAdmin);
    assertInvalid(response, 'create[0].departmentId', 'create[0].bandId');
  });

  it('two simultaneous users/save requests for the same people run one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      const people = await Promise.all(Array.from({ length: 10 }, () => add()));
      const create = Array.from({ length: 10 }, joiner);
      const update = people.map(({ id }) => ({ id, lastName: `Round ${round}` }));
      const answers = await Promise.all([
        save({ create, update }),
        save({ create: create.toReversed(), update: update.toReversed() }),
      ]);
      const counts = answers.map(countsIn);
      assert.deepEqual(
        counts.sort((one, two) => one.added - two.added),
        [
          { added: 0, changed: 0, unchanged: 20 },
          { added: 10, changed: 10, unchanged: 0 },
        ],
      );
    }
  });
});
