import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { type Answer, GROUP, type Json, newUser, openDirectory, patchOf, USER } from './directory.ts';

/*
 * Okta's SCIM 2.0 specification test, and its CRUD sequence, request by request with their assertions.
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json (version 1.0, exported at 1715608731)
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json (version 1.0, exported at 1478562039): what it asks of
 * the SCIM server; what Okta sends it meanwhile is told in https://developer.okta.com/docs/reference/scim/scim-20/
 */

type Comparison = 'equal' | 'notEmpty' | 'hasValue' | 'isNumber' | 'contains';

interface Step {
  note: string;
  method: 'GET' | 'POST';
  path: string;
  body?: Json;
  headers?: Record<string, string>;
  status: number;
  assertions: readonly (readonly [Comparison, property: string, value?: string])[];
  /** What later steps call a value of the answer. */
  variables?: Readonly<Record<string, string>>;
}

const OKTA = {
  'accept-charset': 'utf-8',
  'content-type': 'application/scim+json; charset=utf-8',
  accept: 'application/scim+json',
  'user-agent': 'OKTA SCIM Integration',
};
const JSON_BODY = { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' };
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const user = (email: string) => ({
  schemas: [USER],
  userName: '{{randomUsername}}',
  name: { givenName: '{{randomGivenName}}', familyName: '{{randomFamilyName}}' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: '{{randomGivenName}} {{randomFamilyName}}',
  active: true,
});

const SPECIFICATION: readonly Step[] = [
  {
    note: 'Required Test: Test Users endpoint',
    method: 'GET',
    path: '/Users?count=1&startIndex=1',
    headers: OKTA,
    status: 200,
    assertions: [
      ['notEmpty', 'Resources'],
      ['hasValue', 'schemas', LIST],
      ['isNumber', 'itemsPerPage'],
      ['isNumber', 'startIndex'],
      ['isNumber', 'totalResults'],
      ['notEmpty', 'Resources[0].id'],
      ['notEmpty', 'Resources[0].name.familyName'],
      ['notEmpty', 'Resources[0].name.givenName'],
      ['notEmpty', 'Resources[0].userName'],
      ['notEmpty', 'Resources[0].active'],
      ['notEmpty', 'Resources[0].emails[0].value'],
    ],
    variables: { ISVUserid: 'Resources[0].id' },
  },
  {
    note: 'Required Test: Get Users/{{id}}',
    method: 'GET',
    path: '/Users/{{ISVUserid}}',
    headers: OKTA,
    status: 200,
    assertions: [
      ['notEmpty', 'id'],
      ['notEmpty', 'name.familyName'],
      ['notEmpty', 'name.givenName'],
      ['notEmpty', 'userName'],
      ['notEmpty', 'active'],
      ['notEmpty', 'emails[0].value'],
      ['equal', 'id', '{{ISVUserid}}'],
    ],
  },
  {
    note: 'Required Test: Test invalid User by username',
    method: 'GET',
    path: '/Users?filter=userName eq "{{InvalidUserEmail}}"',
    headers: OKTA,
    status: 200,
    assertions: [
      ['hasValue', 'schemas', LIST],
      ['equal', 'totalResults', '0'],
    ],
  },
  {
    note: 'Required Test: Test invalid User by ID',
    method: 'GET',
    path: '/Users/{{UserIdThatDoesNotExist}}',
    headers: OKTA,
    status: 404,
    assertions: [
      ['notEmpty', 'detail'],
      ['hasValue', 'schemas', ERROR],
    ],
  },
  {
    note: "Required Test: Make sure random user doesn't exist",
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomEmail}}"',
    headers: OKTA,
    status: 200,
    assertions: [
      ['equal', 'totalResults', '0'],
      ['hasValue', 'schemas', LIST],
    ],
  },
  {
    note: 'Required Test: Create Okta user with realistic values',
    method: 'POST',
    path: '/Users',
    headers: JSON_BODY,
    body: user('{{randomEmail}}'),
    status: 201,
    assertions: [
      ['equal', 'active', 'true'],
      ['notEmpty', 'id'],
      ['equal', 'name.familyName', '{{randomFamilyName}}'],
      ['equal', 'name.givenName', '{{randomGivenName}}'],
      ['contains', 'schemas', USER],
      ['equal', 'userName', '{{randomUsername}}'],
    ],
    variables: { idUserOne: 'id', randomUserEmail: 'emails[0].value' },
  },
  {
    note: 'Required Test: Verify that user was created',
    method: 'GET',
    path: '/Users/{{idUserOne}}',
    headers: OKTA,
    status: 200,
    assertions: [
      ['equal', 'userName', '{{randomUsername}}'],
      ['equal', 'name.familyName', '{{randomFamilyName}}'],
      ['equal', 'name.givenName', '{{randomGivenName}}'],
    ],
  },
  {
    note: 'Required Test: Expect failure when recreating user with same values',
    method: 'POST',
    path: '/Users',
    headers: JSON_BODY,
    body: user('{{randomUsername}}'),
    status: 409,
    assertions: [],
  },
  {
    note: 'Required Test: Username Case Sensitivity Check',
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomUsernameCaps}}"',
    headers: OKTA,
    status: 200,
    assertions: [],
  },
  {
    note: 'Optional Test: Verify Groups endpoint',
    method: 'GET',
    path: '/Groups',
    headers: OKTA,
    status: 200,
    assertions: [['notEmpty', 'Resources']],
  },
  {
    note: 'Required Test: Check status 401',
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomUsernameCaps}}"',
    headers: { ...OKTA, authorization: 'non-token' },
    status: 401,
    assertions: [
      ['notEmpty', 'detail'],
      ['equal', 'status', '401'],
      ['hasValue', '', ERROR],
    ],
  },
  {
    note: 'Required Test: Check status 404',
    method: 'GET',
    path: '/Users/00919288221112222',
    headers: OKTA,
    status: 404,
    assertions: [
      ['notEmpty', 'detail'],
      ['equal', 'status', '404'],
      ['hasValue', 'schemas', ERROR],
    ],
  },
];

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Okta');
await directory.send('POST', '/Users', newUser());

const tag = randomUUID().slice(0, 8);
const variables: Record<string, string> = {
  InvalidUserEmail: 'abcdefgh@atko.example',
  UserIdThatDoesNotExist: '010101001010101011001010101011',
  randomEmail: `Runscope300${tag}@atko.example`,
  randomUsername: `Runscope300${tag}@login.example`,
  randomUsernameCaps: `RUNSCOPE300${tag.toUpperCase()}@LOGIN.EXAMPLE`,
  randomGivenName: 'Runscope',
  randomFamilyName: tag,
};
const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? '');

function at(body: Json, property: string): Json {
  const steps = property.split(/[.[\]]+/).filter((step) => step !== '');
  return steps.reduce((value, step) => value?.[step], body);
}

function assertStep({ body }: Answer, [comparison, property, value = '']: Step['assertions'][number]): void {
  const found = at(body, property);
  const told = `${property} is ${JSON.stringify(found)}`;
  if (comparison === 'equal') assert.equal(String(found), filled(value), told);
  else if (comparison === 'isNumber') assert.equal(typeof found, 'number', told);
  else if (comparison === 'notEmpty')
    assert.ok(found !== undefined && found !== null && found !== '' && found.length !== 0, told);
  else assert.ok(JSON.stringify(found).includes(value), told);
}

describe("Okta's SCIM 2.0 test", () => {
  for (const { note, method, path, body, headers, status, assertions, variables: kept = {} } of SPECIFICATION) {
    it(note, async () => {
      const payload = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
      const answer = await directory.send(method, encodeURI(filled(path)), payload, headers);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      for (const assertion of assertions) assertStep(answer, assertion);
      for (const [name, property] of Object.entries(kept)) variables[name] = String(at(answer.body, property));
    });
  }
});

describe("what Okta sends in its CRUD test, with the test's assertions", () => {
  const email = `crud.${tag}@okta.example`;
  const profile = (givenName: string) => ({
    schemas: [USER],
    userName: email,
    name: { givenName, familyName: 'Doe' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: `${givenName} Doe`,
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  });
  const find = () =>
    directory.send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}&startIndex=1&count=100`);
  let id = '';
  const present = async () => (await directory.send('GET', `/Users/${id}`)).body;

  it('a user is assigned: looked for, and created', async () => {
    assert.equal((await find()).body.totalResults, 0);
    assert.equal((await directory.send('POST', '/Users', profile('John'))).status, 201);
    const [found] = (await find()).body.Resources;
    assert.deepEqual(
      [found.userName, found.emails[0].value, found.name.familyName, found.name.givenName],
      [email, email, 'Doe', 'John'],
    );
    assert.ok(!JSON.stringify(found).includes('1mz050nq'));
    ({ id } = found);
  });

  it('the first name is changed, by the whole profile as it was read', async () => {
    const whole = { ...(await present()), name: { givenName: 'Jane', familyName: 'Doe' } };
    assert.equal((await directory.send('PUT', `/Users/${id}`, whole)).status, 200);
    assert.equal((await present()).name.givenName, 'Jane');
  });

  it('the user is deactivated, activated and unassigned', async () => {
    const activate = (active: boolean) =>
      directory.send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active } }));
    for (const active of [false, true, false]) {
      assert.equal((await activate(active)).status, 200);
      assert.equal((await present()).active, active);
    }
  });

  it('groups are pushed: members added and removed, the name repeated with its id', async () => {
    const [group] = (await directory.send('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Managers"')}`))
      .body.Resources;
    const url = `/Groups/${group.id}`;
    const members = async () => (await directory.send('GET', url)).body.members.map(({ value }: Json) => value);
    for (const [operation, expected] of [
      [{ op: 'add', path: 'members', value: [{ value: id, display: email }] }, [id]],
      [{ op: 'remove', path: `members[value eq "${id}"]` }, []],
      [{ op: 'replace', path: 'members', value: [{ value: id, display: email }] }, [id]],
      [{ op: 'replace', value: { id: group.id, displayName: 'Managers' } }, [id]],
    ] as const) {
      assert.equal((await directory.send('PATCH', url, patchOf(operation))).status, 204);
      assert.deepEqual(await members(), expected, JSON.stringify(operation));
    }
    const whole = { schemas: [GROUP], id: group.id, displayName: 'Managers', members: [] };
    assert.equal((await directory.send('PUT', url, whole)).status, 200);
    assert.deepEqual(await members(), []);
  });
});
