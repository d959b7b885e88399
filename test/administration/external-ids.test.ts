import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { home, other, admin, foreignAdmin, superAdmin, get, post } = administration;
after(() => administration[Symbol.asyncDispose]());

type Row = { id: string; externalId?: string | null };

const THINGS = {
  departments: { name: 'Own', costCode: 'EXT-1' },
  bands: { name: 'Own', code: 'EXT-1' },
  'approval-policies': { name: 'Own' },
  'cost-centers': { name: 'Own', code: 'EXT-1' },
};

for (const [path, body] of Object.entries(THINGS)) {
  it(`${path} have an externalId that is unique in their company, and by which their list is filtered`, async () => {
    const externalId = `hr:${randomUUID()}`;
    const of = { companyId: home.id, ...body };
    const { id, ...created } = dataOf<Row>(await post(admin, `${path}/create`, { ...of, externalId }));
    assert.equal(created.externalId, externalId);
    const code = { ...('code' in body && { code: 'EXT-2' }), ...('costCode' in body && { costCode: 'EXT-2' }) };
    const again = { ...of, ...code, externalId };
    assertRefused(await post(admin, `${path}/create`, again), 409, 'ALREADY_EXISTS', ['externalId']);
    dataOf(await post(foreignAdmin, `${path}/create`, { ...again, companyId: other.id }));
    const query = { companyId: home.id, externalId, include: 'createdAt' };
    const found = pageOf<Row>(await get(admin, `${path}/list`, query)).items;
    assert.deepEqual(
      found.map((row) => row.id),
      [id],
    );
    const changed = dataOf<Row>(await post(admin, `${path}/update`, { id, externalId: `${externalId}/2` }));
    assert.equal(changed.externalId, `${externalId}/2`);
    assert.equal(dataOf<Row>(await get(admin, `${path}/get`, { id })).externalId, `${externalId}/2`);
    assert.equal(dataOf<Row>(await post(admin, `${path}/update`, { id, externalId: null })).externalId, null);
  });
}

it('companies have an externalId that is unique on the platform, which a Super Admin sets', async () => {
  const update = (id: string, as = superAdmin) => post(as, 'companies/update', { id, externalId: 'crm-1' });
  assert.equal(dataOf<Row>(await update(home.id)).externalId, 'crm-1');
  assertRefused(await update(other.id), 409, 'ALREADY_EXISTS', ['externalId']);
  assertRefused(await update(other.id, foreignAdmin), 403, 'FIELD_FORBIDDEN', ['externalId']);
  const { items } = pageOf<Row>(
    await get(superAdmin, 'companies/list', { externalId: 'crm-1', include: 'externalId' }),
  );
  assert.deepEqual(
    items.map(({ id, externalId }) => [id, externalId]),
    [[home.id, 'crm-1']],
  );
});

it('the lists of the contract have the externalId only where it is asked for', async () => {
  for (const path of ['departments', 'approval-policies']) {
    const query = { companyId: home.id };
    const { items } = pageOf<Row>(await get(admin, `${path}/list`, query));
    assert.ok(items.length > 0 && items.every((row) => !('externalId' in row)), path);
    const asked = pageOf<Row>(await get(admin, `${path}/list`, { ...query, include: 'externalId' })).items;
    assert.ok(
      asked.every((row) => 'externalId' in row),
      path,
    );
  }
  const { items } = pageOf<Row>(await get(superAdmin, 'companies/list', {}));
  assert.ok(items.every((row) => !('externalId' in row)));
});
