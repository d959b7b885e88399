import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { directoryFor, ENTERPRISE, newUser, ORGDESK } from '../scim/directory.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, foreignAdmin, post, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

for (const [path, field, noun] of [
  ['departments', 'costCode', 'department'],
  ['bands', 'code', 'band'],
] as const) {
  const create = (code: string, more: object = {}, as = admin) =>
    post(as, `${path}/create`, { companyId: home.id, name: 'Same name', [field]: code, ...more });
  const made = async (code: string) => dataOf<{ id: string; [name: string]: unknown }>(await create(code));
  const assertTaken = (response: Awaited<ReturnType<typeof create>>) => {
    const { errors } = assertRefused(response, 409, 'ALREADY_EXISTS', [field]);
    const message = `Another ${noun} has this ${field} already.`;
    assert.deepEqual(errors, [{ field, code: 'ALREADY_EXISTS', message }]);
  };

  describe(`${path}: the ${field} is that of one ${noun} of the company`, () => {
    it(`${path}/create returns 409 for a ${field} of the company in any case of letters`, async () => {
      await made('Köln-Ä1');
      for (const code of ['Köln-Ä1', 'KÖLN-ä1', '  köln-ä1\u00a0']) {
        assertTaken(await withoutTrace(() => create(code)));
      }
      dataOf(await create('Koln-A1'));
      dataOf(await create('Köln-Ä1', { companyId: other.id }, foreignAdmin));
    });

    it(`${path}/update returns 409 for a ${field} of another ${noun}, and may change the case of an own one`, async () => {
      const [one, two] = [await made('one'), await made('two')];
      assertTaken(await withoutTrace(() => post(admin, `${path}/update`, { id: two.id, [field]: 'ONE' })));
      const renamed = await post(admin, `${path}/update`, { id: one.id, [field]: 'ONE' });
      assert.equal(dataOf<Record<string, unknown>>(renamed)[field], 'ONE');
    });

    it(`one of many simultaneous ${path} requests gets a ${field}, and a repeated create is no conflict`, async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => create(at % 2 ? 'race' : 'RACE')));
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [200, ...Array(7).fill(409)]);
      const id = randomUUID();
      const again = await Promise.all(Array.from({ length: 8 }, () => create('again', { id })));
      assert.deepEqual([...new Set(again.map(({ statusCode }) => statusCode))], [200]);
      const changes = await Promise.all(
        Array.from({ length: 4 }, async (_, at) => {
          const { id: own } = await made(`mine ${at}`);
          return () => post(admin, `${path}/update`, { id: own, [field]: 'wanted by all' });
        }),
      );
      const changed = await Promise.all(changes.map((change) => change()));
      assert.deepEqual(changed.map(({ statusCode }) => statusCode).toSorted(), [200, 409, 409, 409]);
    });
  });
}

describe('e-mail addresses', () => {
  it('users/create returns 409 for the e-mail address of somebody else in either case of any script', async () => {
    const name = randomUUID();
    const create = (email: string) => post(admin, 'users/create', { ...personFields(home), email });
    userOf(await create(`JOSÉ-${name}@BÜCHER.example`));
    assertRefused(await create(`josé-${name}@bücher.example`), 409, 'ALREADY_EXISTS', ['email']);
    userOf(await create(`jose-${name}@bücher.example`));
  });
});

describe('a directory', () => {
  it('SCIM finds a department and a band by their codes in either case, and creates no second one', async () => {
    const directory = await directoryFor(api, home);
    const department = dataOf<{ id: string }>(
      await post(admin, 'departments/create', { companyId: home.id, name: 'Research', costCode: 'RÉ-1' }),
    );
    const band = dataOf<{ id: string }>(
      await post(admin, 'bands/create', { companyId: home.id, name: 'Lead', code: 'LÉAD' }),
    );
    const sent = newUser({ [ENTERPRISE]: { department: 'ré-1' }, [ORGDESK]: { bandCode: 'léad' } });
    const { status, body } = await directory.send('POST', '/Users', sent);
    assert.equal(status, 201, JSON.stringify(body));
    const [row] = await api.db.query(sql`select department_id, band_id from users where id = ${body.id}`);
    assert.deepEqual(row, { department_id: department.id, band_id: band.id });
  });

  it('SCIM returns 400 for the name of two departments, and creates a department for a new name', async () => {
    const directory = await directoryFor(api, home);
    const join = (department: string) => directory.send('POST', '/Users', newUser({ [ENTERPRISE]: { department } }));
    for (const costCode of ['SUP-1', 'SUP-2']) {
      dataOf(await post(admin, 'departments/create', { companyId: home.id, name: 'Support', costCode }));
    }
    const refused = await join('Support');
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /department must be the cost code of one department/);
    assert.equal((await join('sup-2')).status, 201);
    const long = 'A very long name of a department that goes on and on: ';
    for (const name of [`${long}one`, `${long}two`]) assert.equal((await join(name)).status, 201);
    const made = await api.db.query(sql`
      select name from departments where company_id = ${home.id} and name like 'A very long%' order by 1`);
    assert.deepEqual(made, [{ name: `${long}one` }, { name: `${long}two` }]);
  });

  it('SCIM finds the department by its cost code although another department has that name', async () => {
    const directory = await directoryFor(api, home);
    const create = async (name: string, costCode: string) =>
      dataOf<{ id: string }>(await post(admin, 'departments/create', { companyId: home.id, name, costCode })).id;
    const desk = await create('Travel desk', 'OPS');
    await create('OPS', 'OPS-2');
    const { status, body } = await directory.send('POST', '/Users', newUser({ [ENTERPRISE]: { department: 'ops' } }));
    assert.equal(status, 201, JSON.stringify(body));
    const [row] = await api.db.query(sql`select department_id as id from users where id = ${body.id}`);
    assert.deepEqual(row, { id: desk });
  });
});
