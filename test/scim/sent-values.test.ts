import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { assertFault, createUser, ENTERPRISE, newUser, ORGDESK, openDirectory, patchOf, replace } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Sent values');
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));

describe('values that directories send', () => {
  it('a foreign role that SCIM sends is left out, and a misspelt role of orgdesk returns 400', async () => {
    const person = await createUser(directory, { roles: [{ value: 'rauthy_admin' }, { value: 'manager' }] });
    assert.deepEqual(person.roles, [{ value: 'MANAGER' }]);
    const joiner = await createUser(directory, { roles: [{ value: 'offline_access' }] });
    assert.deepEqual(joiner.roles, [{ value: 'EMPLOYEE' }]);
    const { status, body } = await patch(person.id, replace('roles', [{ value: 'uma_authorization' }]));
    assert.deepEqual([status, body.roles], [200, [{ value: 'MANAGER' }]]);
    const typo = newUser({ roles: [{ value: 'CORPORATE_ADMN' }] });
    assertFault(await directory.send('POST', '/Users', typo), 400, 'invalidValue');
  });

  it('the trail contains each value that SCIM left out once', async () => {
    const roles = [{ value: 'rauthy_admin' }, { value: 'offline_access' }];
    const phoneNumbers = [{ value: 'ext. 12', type: 'work' }];
    const { id, ...sent } = await createUser(directory, { roles, phoneNumbers });
    await directory.send('PUT', `/Users/${id}`, { ...sent, roles, phoneNumbers });
    const refused = await api.db.query(sql`
      select user_id::text as "userId", field_values as values from audit_changes
       where action = 'refused' and entity = 'user' and entity_id = ${id} and actor_id = ${directory.keyId}::uuid`);
    const values = { roles: [null, 'RAUTHY_ADMIN, OFFLINE_ACCESS'], phone: [null, 'invalid'] };
    assert.deepEqual(refused, [{ userId: id, values }]);
    const group = { displayName: 'Some members', members: [{ value: 'nobody' }] };
    await directory.send('POST', '/Groups', group);
    const members = await api.db.query(sql`
      select entity, field_values as values from audit_changes where action = 'refused' and entity_id = ${directory.keyId}`);
    assert.deepEqual(members, [
      { entity: 'directory', values: { group: [null, 'Some members'], members: [null, 'nobody'] } },
    ]);
  });

  it('a SCIM PUT with an empty department stores the default department', async () => {
    const { id, ...sent } = await createUser(directory, { [ENTERPRISE]: { department: 'Emptied later' } });
    const put = (more: object) => directory.send('PUT', `/Users/${id}`, { ...sent, ...more });
    const left = await put({ [ENTERPRISE]: {} });
    assert.equal(left.body[ENTERPRISE].department, 'Emptied later');
    for (const department of ['', null]) {
      assert.equal((await put({ [ENTERPRISE]: { department: 'Emptied later' } })).status, 200);
      assert.equal((await put({ [ENTERPRISE]: { department } })).body[ENTERPRISE].department, 'Sales');
    }
  });

  it('SCIM accepts telephone URIs and the former id of the enterprise extension', async () => {
    const { phoneNumbers, ...user } = await createUser(directory, {
      phoneNumbers: [{ type: 'work', value: 'tel:+1-201-555-0123;ext=7' }],
      'urn:scim:schemas:extension:enterprise:2.0': { department: 'Old extension' },
    });
    assert.deepEqual(phoneNumbers, [{ value: '+12015550123;ext=7', type: 'work' }]);
    assert.equal(user[ENTERPRISE].department, 'Old extension');
  });

  it('a SCIM PATCH that empties the department stores the default one and the other values', async () => {
    const path = `${ENTERPRISE}:department`;
    for (const operation of [{ op: 'remove', path }, replace(path, ''), { op: 'remove', path: ENTERPRISE }]) {
      const { id } = await createUser(directory, { [ENTERPRISE]: { department: 'Emptied' } });
      const { status } = await patch(id, operation, replace('name.familyName', 'New'));
      const [row] = await api.db.query(sql`select last_name, department_id from users where id = ${id}`);
      assert.deepEqual([status, row], [200, { last_name: 'New', department_id: directory.company.departmentId }]);
    }
  });

  it('a SCIM filter finds a person by the time of creation', async () => {
    const { id, meta } = await createUser(directory);
    const filter = encodeURIComponent(`meta.created eq "${meta.created}" and id eq "${id}"`);
    assert.equal((await directory.send('GET', `/Users?filter=${filter}`)).body.totalResults, 1);
  });

  for (const [returning, whose, expected] of [
    ['another', 'a newcomer', [[{ value: 'EMPLOYEE' }], '0.00', undefined, undefined]],
    ['former', 'the former person', [[{ value: 'MANAGER' }], '90.00', '1961-02-03', '+35315550100']],
  ] as const) {
    for (const inOne of [true, false]) {
      const requests = inOne ? 'one PATCH' : 'a PATCH of the id and a second one';
      it(`a person who returns to SCIM under ${returning} externalId by ${requests} is ${whose}`, async () => {
        const former = randomUUID();
        const externalId = returning === 'former' ? former : randomUUID();
        const { id } = await createUser(directory, {
          externalId: former,
          roles: [{ value: 'MANAGER' }],
          phoneNumbers: [{ type: 'work', value: '+353 1 555 0100' }],
          [ORGDESK]: { approvalLimit: '90.00', dateOfBirth: '1961-02-03' },
        });
        await api.db.query(sql`
          insert into user_identities (issuer, subject, user_id) values ('https://x.example', ${id}, ${id}::uuid)`);
        await patch(id, replace('active', false));
        const newId = replace('externalId', externalId);
        const returns = [replace('active', true), replace('name.givenName', 'Heir')];
        if (!inOne) assert.equal((await patch(id, newId)).status, 200);
        const { status, body } = await patch(id, ...(inOne ? [newId] : []), ...returns);
        assert.equal(status, 200, JSON.stringify(body));
        const { approvalLimit, dateOfBirth } = body[ORGDESK];
        assert.deepEqual([body.name.givenName, body.active, body.externalId], ['Heir', true, externalId]);
        assert.deepEqual([body.roles, approvalLimit, dateOfBirth, body.phoneNumbers?.[0].value], expected);
        const links = await api.db.query(sql`select from user_identities where user_id = ${id}::uuid`);
        assert.equal(links.length, returning === 'former' ? 1 : 0);
      });
    }
  }
});
