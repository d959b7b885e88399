import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { type Answer, GROUP, type Json, newUser, openDirectory, patchOf, USER } from './directory.ts';
import { SPECIFICATION, type Step } from './okta-specification.ts';

/*
 * Okta's SCIM 2.0 specification test, and its CRUD sequence, request by request with their assertions.
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json (version 1.0, exported at 1715608731)
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json (version 1.0, exported at 1478562039): what it asks of
 * the SCIM server; what Okta sends it meanwhile is told in https://developer.okta.com/docs/reference/scim/scim-20/
 */

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
  const reported = `${property} is ${JSON.stringify(found)}`;
  if (comparison === 'equal') assert.equal(String(found), filled(value), reported);
  else if (comparison === 'isNumber') assert.equal(typeof found, 'number', reported);
  else if (comparison === 'notEmpty')
    assert.ok(found !== undefined && found !== null && found !== '' && found.length !== 0, reported);
  else assert.ok(JSON.stringify(found).includes(value), reported);
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

  it("Okta's assignment of a user finds nobody by userName, and its POST creates the user", async () => {
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

  it("Okta's PUT of the whole profile changes the first name", async () => {
    const whole = { ...(await present()), name: { givenName: 'Jane', familyName: 'Doe' } };
    assert.equal((await directory.send('PUT', `/Users/${id}`, whole)).status, 200);
    assert.equal((await present()).name.givenName, 'Jane');
  });

  it("Okta's PATCH deactivates and activates a user", async () => {
    const activate = (active: boolean) =>
      directory.send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active } }));
    for (const active of [false, true, false]) {
      assert.equal((await activate(active)).status, 200);
      assert.equal((await present()).active, active);
    }
  });

  it("Okta's group push adds and removes members, and repeats the name with the id", async () => {
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
