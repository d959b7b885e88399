import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { addPerson, type Person } from '../support/people.ts';
import { type Json, newUser, ORGDESK, openDirectory, patchOf } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const { log, lines } = collectLog();
const app = await buildApp({ ...api.context, geography: api.geography, log: createLog('warn', log) });
after(() => app.close());
const directory = await openDirectory({ ...api, app }, 'Keys');
const { company } = directory;
await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

/** An administrator of the company who has made some keys. */
async function maker(keys: number): Promise<Person> {
  const person = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  for (let count = 0; count < keys; count += 1) {
    const payload = { name: `Key ${count}`, scopes: ['users.read'], companyId: company.id };
    const made = await api.send({ method: 'POST', url: '/api/api-keys/create', as: person.email, payload });
    assert.equal(made.statusCode, 200, made.body);
  }
  return person;
}

/** The lines of the log about somebody. */
function notesOf({ id }: Person): Json[] {
  return lines.filter(({ userId }) => userId === id).map(({ level, keysMade }) => ({ level, keysMade }));
}

describe('who made API keys and is let go by a directory', () => {
  for (const [what, letGo] of [
    ['deactivated by PATCH', ({ id }: Person) => patch(id, { op: 'replace', path: 'active', value: 'False' })],
    [
      'deactivated by PUT',
      async ({ id }: Person) => {
        const { body } = await directory.send('GET', `/Users/${id}`);
        return directory.send('PUT', `/Users/${id}`, { ...body, active: false });
      },
    ],
    [
      'demoted',
      ({ id }: Person) => patch(id, { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'EMPLOYEE' }),
    ],
  ] as const) {
    it(`SCIM's answer and the log report an administrator's API keys once when they are ${what}`, async () => {
      const person = await maker(2);
      const { status, body } = await letGo(person);
      assert.deepEqual([status, body[ORGDESK].keysMade], [200, 2], JSON.stringify(body));
      assert.deepEqual(notesOf(person), [{ level: 40, keysMade: 2 }]);
      const { body: later } = await directory.send('GET', `/Users/${person.id}`);
      const { keysMade: _, ...own } = body[ORGDESK];
      assert.deepEqual(later, { ...body, [ORGDESK]: own });
      assert.equal((await directory.send('PUT', `/Users/${person.id}`, body)).status, 200);
    });
  }

  it('an administrator with API keys who is deleted by SCIM: the log reports the keys', async () => {
    const person = await maker(1);
    assert.equal((await directory.send('DELETE', `/Users/${person.id}`)).status, 204);
    assert.deepEqual(notesOf(person), [{ level: 40, keysMade: 1 }]);
  });

  it('SCIM reports no keys for a person without keys or one who stays an administrator', async () => {
    const [keyless, active] = [await maker(0), await maker(1)];
    for (const [person, operation] of [
      [keyless, { op: 'replace', path: 'active', value: false }],
      [active, { op: 'add', path: 'roles', value: [{ value: 'MANAGER' }] }],
      [active, { op: 'replace', path: 'name.givenName', value: 'Same' }],
    ] as const) {
      assert.equal((await patch(person.id, operation)).body[ORGDESK].keysMade, undefined);
      assert.deepEqual(notesOf(person), []);
    }
    const { body } = await directory.send('POST', '/Users', newUser({ [ORGDESK]: { keysMade: 5 } }));
    assert.equal(body[ORGDESK].keysMade, undefined);
  });
});

function patch(id: string, operation: object) {
  return directory.send('PATCH', `/Users/${id}`, patchOf(operation));
}
