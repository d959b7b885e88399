import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { NamedChangeView } from '../../src/audit/change-view.ts';
import { openAdministration } from '../administration/administration.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { AUDIT_LIST } from './trail.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, superAdmin, add, post } = administration;
await api.db.query(sql`update users set first_name = 'Asha', last_name = 'Rao' where id = ${admin.id}`);
await api.db.query(sql`update users set first_name = 'Sarayu', last_name = 'Platform' where id = ${superAdmin.id}`);

async function department(name: string): Promise<string> {
  const fields = { companyId: home.id, name, costCode: name, budget: '1.00' };
  return dataOf<{ id: string }>(await post(admin, 'departments/create', fields)).id;
}

async function newest(as: Person, query: Record<string, string>): Promise<NamedChangeView> {
  const { items } = pageOf<NamedChangeView>(await api.send({ url: AUDIT_LIST, as: as.email, query }));
  return items[0] ?? assert.fail('The trail has nothing of it');
}

const [sales, legal] = [await department('Sales'), await department('Legal')];
const priya = await add({ columns: { first_name: 'Priya', last_name: 'Das', department_id: sales } });

describe('names in the audit trail', () => {
  it('audit/list returns the names of the actor, the entity, and entities in the values', async () => {
    assert.equal((await post(admin, 'users/update', { id: priya.id, departmentId: legal })).statusCode, 200);
    const change = await newest(admin, { userId: priya.id });
    assert.deepEqual(
      [change.actorName, change.entityName, change.names],
      ['Asha Rao', 'Priya Das', { [sales]: 'Sales', [legal]: 'Legal' }],
    );
    assert.equal((await newest(admin, { entity: 'department', entityId: legal })).entityName, 'Legal');
  });

  it('audit/list returns the last name of a removed entity', async () => {
    const gone = await department('Gone');
    await post(admin, 'users/update', { id: priya.id, departmentId: gone });
    await post(admin, 'users/update', { id: priya.id, departmentId: legal });
    await post(admin, 'departments/update', { id: gone, name: 'Renamed' });
    await post(admin, 'departments/delete', { id: gone });
    assert.deepEqual((await newest(admin, { userId: priya.id })).names, { [gone]: 'Renamed', [legal]: 'Legal' });
    assert.equal((await newest(admin, { entity: 'department', entityId: gone })).entityName, 'Renamed');
  });

  it('audit/list returns names of people only to callers who may see them', async () => {
    await post(superAdmin, 'users/update', { id: priya.id, departmentId: sales });
    const ofAdmin = await newest(admin, { userId: priya.id });
    assert.deepEqual([ofAdmin.actorName, ofAdmin.entityName], [null, 'Priya Das']);
    assert.equal((await newest(superAdmin, { userId: priya.id })).actorName, 'Sarayu Platform');
    const own = await newest(priya, { userId: priya.id, actorId: admin.id });
    assert.deepEqual([own.actorName, own.entityName], [null, 'Priya Das']);
    await api.db.query(sql`
      update users set company_id = ${other.id}, department_id = ${other.departmentId}, band_id = ${other.bandId}
       where id = ${priya.id}`);
    assert.equal((await newest(admin, { userId: priya.id })).entityName, null);
  });

  it('audit/list returns null for the name of a person in changes from before an erasure', async () => {
    const person = await add({ columns: { first_name: 'To', last_name: 'Erase' } });
    await post(admin, 'users/update', { id: person.id, gender: 'Other', departmentId: legal });
    assert.equal((await newest(admin, { userId: person.id })).entityName, 'To Erase');
    await api.db.query(sql`select erase_audit_values(${person.id})`);
    assert.equal((await newest(admin, { userId: person.id, action: 'changed' })).entityName, null);
    await post(admin, 'users/update', { id: person.id, gender: 'Female' });
    assert.equal((await newest(admin, { userId: person.id })).entityName, 'To Erase');
  });

  it('audit/list returns the names of API keys and of their creators', async () => {
    const { id } = dataOf<{ id: string }>(
      await post(admin, 'api-keys/create', { name: 'Directory', scopes: ['scim'], companyId: home.id }),
    );
    const change = await newest(admin, { entity: 'apiKey', entityId: id });
    assert.deepEqual([change.entityName, change.names[admin.id]], ['Directory', 'Asha Rao']);
  });
});
