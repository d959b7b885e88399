import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { trailFor } from '../audit/trail.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { openAdministration } from './administration.ts';
import { KINDS } from './resource-kinds.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());
const companyId = home.id;
const SINCE = '2026-02-01T00:00:00Z';
const idsOf = (response: Awaited<ReturnType<typeof get>>) => dataOf<{ id: string }[]>(response).map(({ id }) => id);

describe('updatedSince', () => {
  it('users/list with updatedSince returns people added or changed since then, and no guests', async () => {
    const [old, changed] = [await add(), await add()];
    assert.ok(!idsOf(await get(admin, 'users/list', { companyId, updatedSince: SINCE })).includes(changed.id));
    dataOf(await post(admin, 'users/update', { id: changed.id, gender: 'Other' }));
    const found = idsOf(await get(admin, 'users/list', { companyId, updatedSince: SINCE, limit: '100' }));
    assert.ok(found.includes(changed.id) && !found.includes(old.id));
    await add({ company: other, roles: [['EMPLOYEE', home]] });
    assert.deepEqual(idsOf(await get(admin, 'users/list', { companyId, guests: 'true', updatedSince: SINCE })), []);
    assertInvalid(await get(admin, 'users/list', { companyId, updatedSince: 'yesterday' }), 'updatedSince');
  });

  for (const { path, needed, changes } of KINDS) {
    it(`${path}/list with updatedSince returns entities changed since then`, async () => {
      const { id } = dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId, ...needed() }));
      const table =
        { departments: 'departments', bands: 'employee_bands', 'approval-policies': 'approval_policies' }[path] ?? '';
      await api.db.query(sql`update ${raw(table)} set updated_at = '2026-01-01' where id::text = ${id}`);
      const isFound = async () =>
        idsOf(await get(admin, `${path}/list`, { companyId, updatedSince: SINCE, limit: '100' })).includes(id);
      assert.ok(!(await isFound()));
      dataOf(await post(admin, `${path}/update`, { id, ...changes() }));
      assert.ok(await isFound());
    });
  }

  it('approval-policies/list with updatedSince returns policies whose levels have changed', async () => {
    const made = { companyId, name: 'Levels', levels: [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }] };
    const { id } = dataOf<{ id: string }>(await post(admin, 'approval-policies/create', made));
    await api.db.query(sql`update approval_policies set updated_at = '2026-01-01' where id = ${id}`);
    const find = async () =>
      idsOf(await get(admin, 'approval-policies/list', { companyId, updatedSince: SINCE, limit: '100' }));
    dataOf(await post(admin, 'approval-policies/update', { id, levels: made.levels }));
    assert.ok(!(await find()).includes(id));
    dataOf(await post(admin, 'approval-policies/update', { id, levels: [] }));
    assert.ok((await find()).includes(id));
  });

  it('companies/list with updatedSince returns companies changed since then', async () => {
    await api.db.query(sql`update companies set updated_at = '2026-01-01' where id = ${other.id}`);
    const find = async () => idsOf(await get(superAdmin, 'companies/list', { updatedSince: SINCE, limit: '100' }));
    assert.ok(!(await find()).includes(other.id));
    dataOf(await post(superAdmin, 'companies/update', { id: other.id, creditDays: 7 }));
    assert.ok((await find()).includes(other.id));
  });
});

describe('Prefer: handling=strict', () => {
  const list = (query: Record<string, string>, prefer?: string, path = 'departments/list') =>
    api.send({
      url: `/api/${path}`,
      as: admin.email,
      query: { companyId, ...query },
      ...(prefer === undefined ? {} : { headers: { prefer } }),
    });

  it('a list with Prefer: handling=strict returns 400 for an unknown query parameter, otherwise 200', async () => {
    for (const prefer of [undefined, 'handling=lenient', 'respond-async', 'mishandling=strict']) {
      assert.equal((await list({ per_page: '3' }, prefer)).statusCode, 200, prefer);
    }
    for (const prefer of ['handling=strict', 'respond-async, Handling = "strict"; x=1']) {
      const { errors } = assertInvalid(await list({ per_page: '3' }, prefer), 'per_page');
      assert.equal(errors?.[0]?.code, 'UNKNOWN_PARAMETER');
      const right = await list({ limit: '3' }, prefer);
      assert.deepEqual([right.statusCode, right.headers['preference-applied']], [200, 'handling=strict']);
    }
    assertInvalid(await list({}, 'handling=strict', 'users/profile'), 'companyId');
  });

  it('a list with Prefer: handling=strict returns 400 for an unknown body field, after checking the token', async () => {
    const headers = { prefer: 'handling=strict' };
    const sent = { method: 'POST', url: '/api/states/list', payload: { limt: 1 } } as const;
    assert.equal((await api.send(sent)).statusCode, 200);
    assertInvalid(await api.send({ ...sent, headers }), 'limt');
    assertRefused(await api.send({ url: '/api/bands/list?x=1', headers }), 401, 'AUTHENTICATION_REQUIRED');
  });
});

describe('users/search', () => {
  const search = (needle: string, as = superAdmin) => get(as, 'users/search', { search: needle });

  it('users/search finds people of all companies by name, address, phone and employee number', async () => {
    const number = randomUUID().slice(0, 8);
    const columns = {
      first_name: 'Zoë',
      last_name: number,
      phone: '+353 (1) 555-0199',
      employee_number: `E-${number}`,
    };
    const [here, there] = [await add({ columns }), await add({ company: other, columns: { last_name: number } })];
    assert.deepEqual(idsOf(await search(`zoe ${number}`)), [here.id]);
    assert.deepEqual(new Set(idsOf(await search(number))), new Set([here.id, there.id]));
    assert.deepEqual(idsOf(await search(there.email.toUpperCase())), [there.id]);
    assert.deepEqual(idsOf(await search('35315550199')), [here.id]);
    assert.deepEqual(idsOf(await search(`e-${number}`)), [here.id]);
    const [found] = dataOf<{ company: object }[]>(await search(there.email));
    assert.deepEqual(found?.company, { id: other.id, name: 'Initech', active: true });
    assert.deepEqual(idsOf(await search('nobody at all')), []);
  });

  it('users/search leaves a line in the trail, which only Super Admins see', async () => {
    dataOf(await search('rao'));
    const [line] = await trailFor(api, superAdmin.email, { action: 'searched' });
    assert.deepEqual(
      [line?.action, line?.entity, line?.actor.userId, line?.userId],
      ['searched', 'user', superAdmin.id, null],
    );
    assert.deepEqual(await trailFor(api, admin.email, { action: 'searched' }), []);
  });

  it('users/search returns 403 to a Corporate Admin, and 400 without a search text', async () => {
    assertRefused(await search('rao', admin), 403, 'ROLE_REQUIRED');
    assertInvalid(await get(superAdmin, 'users/search', {}), 'search');
  });
});
