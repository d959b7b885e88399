import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { assertFault, createUser, ENTERPRISE, newUser, ORGDESK, openDirectory, patchOf, replace } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Sent values');
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));

describe('values that directories send', () => {
  it('of foreign roles are left out, and nearly ours are refused', async () => {
    const person = await createUser(directory, { roles: [{ value: 'rauthy_admin' }, { value: 'manager' }] });
    assert.deepEqual(person.roles, [{ value: 'MANAGER' }]);
    const joiner = await createUser(directory, { roles: [{ value: 'offline_access' }] });
    assert.deepEqual(joiner.roles, [{ value: 'EMPLOYEE' }]);
    const { status, body } = await patch(person.id, replace('roles', [{ value: 'uma_authorization' }]));
    assert.deepEqual([status, body.roles], [200, [{ value: 'MANAGER' }]]);
    const typo = newUser({ roles: [{ value: 'CORPORATE_ADMN' }] });
    assertFault(await directory.send('POST', '/Users', typo), 400, 'invalidValue');
  });

  it('of telephones may be URIs, and the former id of the enterprise extension counts', async () => {
    const { phoneNumbers, ...user } = await createUser(directory, {
      phoneNumbers: [{ type: 'work', value: 'tel:+1-201-555-0123;ext=7' }],
      'urn:scim:schemas:extension:enterprise:2.0': { department: 'Old extension' },
    });
    assert.deepEqual(phoneNumbers, [{ value: '+1-201-555-0123', type: 'work' }]);
    assert.equal(user[ENTERPRISE].department, 'Old extension');
  });

  it('of an empty department are the default one, beside all else that is sent', async () => {
    const path = `${ENTERPRISE}:department`;
    for (const operation of [{ op: 'remove', path }, replace(path, ''), { op: 'remove', path: ENTERPRISE }]) {
      const { id } = await createUser(directory, { [ENTERPRISE]: { department: 'Emptied' } });
      const { status } = await patch(id, operation, replace('name.familyName', 'New'));
      const [row] = await api.db.query(sql`select last_name, department_id from users where id = ${id}`);
      assert.deepEqual([status, row], [200, { last_name: 'New', department_id: directory.company.departmentId }]);
    }
  });

  it('are found by the time of creation', async () => {
    const { id, meta } = await createUser(directory);
    const filter = encodeURIComponent(`meta.created eq "${meta.created}" and id eq "${id}"`);
    assert.equal((await directory.send('GET', `/Users?filter=${filter}`)).body.totalResults, 1);
  });

  for (const [externalId, whose, expected] of [
    ['another', 'a newcomer', [[{ value: 'EMPLOYEE' }], '0.00', undefined, undefined]],
    ['former', 'the former person', [[{ value: 'MANAGER' }], '90.00', '1961-02-03', '+353 1 555 0100']],
  ] as const) {
    it(`make ${whose} of an inactive person who returns under ${externalId} id`, async () => {
      const { id } = await createUser(directory, {
        externalId: 'former',
        roles: [{ value: 'MANAGER' }],
        phoneNumbers: [{ type: 'work', value: '+353 1 555 0100' }],
        [ORGDESK]: { approvalLimit: '90.00', dateOfBirth: '1961-02-03' },
      });
      await api.db.query(sql`
        insert into user_identities (issuer, subject, user_id) values ('https://x.example', ${id}, ${id}::uuid)`);
      await patch(id, replace('active', false));
      const returns = [replace('externalId', externalId), replace('active', true), replace('name.givenName', 'Heir')];
      const { status, body } = await patch(id, ...returns);
      assert.equal(status, 200, JSON.stringify(body));
      const { approvalLimit, dateOfBirth } = body[ORGDESK];
      assert.deepEqual([body.name.givenName, body.active, body.externalId], ['Heir', true, externalId]);
      assert.deepEqual([body.roles, approvalLimit, dateOfBirth, body.phoneNumbers?.[0].value], expected);
      const links = await api.db.query(sql`select from user_identities where user_id = ${id}::uuid`);
      assert.equal(links.length, externalId === 'former' ? 1 : 0);
    });
  }
});
