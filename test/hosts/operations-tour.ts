import sql from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import type { Database } from '../../src/db/database.ts';
import { openDirectory } from '../scim/directory.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addThings, requestsFor } from '../support/company-things.ts';
import { addCompany, addPerson } from '../support/people.ts';

/** Profile updates that are sent at the same moment. */
const AT_ONCE = 40;
/** Fields that differ from run to run, or by what else the machine does. */
const VARYING =
  /"(?:nextCursor|cursor|nextAfter|prefix|key|secret|expiresAt|version)":(?:"(?:[^"\\]|\\.)*"|null)|odk_\w+/g;
const [TIME, ID] = [
  /\d{4}-\d\d-\d\dT(?!00:00:00\.000Z)\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
  /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\b[\da-f]{30,32}\b/g,
];

/**
 * Sends one request to every operation, then what changes something at the same moment, and returns the answers in their order. Times and
 * random ids are replaced, so that the answers of two databases can be compared.
 */
export async function operationsTour(openDatabase: () => Promise<Database>): Promise<string[]> {
  await using api = await buildTestApp({}, openDatabase);
  const { db } = api;
  const home = await addCompany(db, 'Tour');
  const things = await addThings(db, home);
  const { id: callerId } = await addPerson(db, {
    company: home,
    roles: [['CORPORATE_ADMIN', home]],
    systemRole: { role: 'SUPER_ADMIN', active: true },
    columns: { email: 'tour@test.example' },
  });
  const headers = { authorization: `Bearer ${await api.context.signToken(callerId, 600)}` };
  const answers: string[] = [];
  const ids = new Map<string, string>();
  const nameOf = (id: string) => ids.get(id) ?? ids.set(id, `id ${ids.size}`).get(id) ?? '';
  const note = (name: string, status: number, body: string) => {
    const stable = body.replace(VARYING, '').replace(TIME, 'time').replace(ID, nameOf);
    answers.push(`${name}: ${status} ${stable}`);
  };

  const requests = requestsFor(home, things);
  // What deletes something is last.
  const isDelete = (name: string) => Number(/delete|revoke/i.test(name));
  const operations = OPERATIONS.filter(({ standard }) => standard === undefined);
  for (const { id, methods, path } of operations.toSorted((a, b) => isDelete(a.id) - isDelete(b.id))) {
    const given = requests[id] ?? { companyId: home.id, search: 'a', limit: 5 };
    for (const method of methods) {
      if (path.includes(':') || id === 'events.list') continue;
      const content =
        method === 'GET'
          ? { query: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])) }
          : { payload: given };
      const { statusCode, body } = await api.app.inject({ method, url: path, headers, ...content });
      note(`${method} ${path}`, statusCode, body);
    }
  }
  const csv = { ...headers, 'content-type': 'text/csv' };
  const file = `email,firstName,lastName,departmentId,bandId,dateOfBirth,loyaltyPoints,active,roles\nb@test.example,É\\,B,${home.departmentId},${home.bandId},1990-03-02,5,true,MANAGER`;
  const brought = await api.app.inject({
    method: 'POST',
    url: `/api/users/import?companyId=${home.id}`,
    headers: csv,
    payload: file,
  });
  note('import', brought.statusCode, brought.body);

  const updates = Array.from({ length: AT_ONCE }, (_, index) =>
    api.app.inject({
      method: 'POST',
      url: '/api/users/update-profile',
      headers,
      payload: { addressLine2: `Flat ${index} \\ É` },
    }),
  );
  answers.push((await Promise.all(updates)).map(({ statusCode }) => statusCode).join(' '));
  const last = { addressLine2: 'the \\ last É', dateOfBirth: '1990-03-02', gender: "O'Neil" };
  const profile = await api.app.inject({ method: 'POST', url: '/api/users/update-profile', headers, payload: last });
  note('profile', profile.statusCode, profile.body);

  const directory = await openDirectory(api, 'Directory of the tour');
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'scim@test.example',
    externalId: 'tour',
    name: { givenName: 'É', familyName: 'B' },
  };
  const made = await directory.send('POST', '/Users', user);
  for (const [method, path, body] of [
    ['GET', `/Users/${made.body.id}`],
    ['GET', '/Users?filter=userName%20eq%20%22SCIM@test.example%22'],
    [
      'PATCH',
      `/Users/${made.body.id}`,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: 'False' }],
      },
    ],
    [
      'POST',
      '/Groups',
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Group',
        members: [{ value: made.body.id }],
      },
    ],
    ['GET', '/Groups?filter=displayName%20eq%20%22employees%22'],
    ['DELETE', `/Users/${made.body.id}`],
  ] as const) {
    const answer = await directory.send(method, path, body);
    note(`scim ${method}`, answer.status, JSON.stringify(answer.body) ?? '');
  }
  const [written] = await db.query<{ changes: string }>(sql`
    select string_agg(entity || ' ' || action || ' ' || array_to_string(fields, ','), '; ' order by id) as changes from audit_changes
     where actor_kind <> 'import'`);
  answers.push(written?.changes ?? '');
  return answers;
}
