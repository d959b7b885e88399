import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { createUser, ENTERPRISE, newUser, ORGDESK, openDirectory, USER } from './directory.ts';
import { BOTH, MOBILE, patchesOfNewUsers, rolesOf, workOf } from './patched-users.ts';
import { testRemovedValues } from './removed-values-tests.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Forms');
// Whoever is patched may lose the role.
await addPerson(api.db, { company: directory.company, roles: [['CORPORATE_ADMIN', directory.company]] });

const { patched, refused } = patchesOfNewUsers(directory);

describe('filters in paths', () => {
  it('a filter in the path of a SCIM PATCH compares roles without case', async () => {
    for (const operation of [
      { op: 'remove', path: 'roles[value eq "manager"]' },
      { op: 'Remove', path: 'ROLES[VALUE EQ "Manager"]' },
      { op: 'Remove', path: 'roles', value: [{ value: 'manager' }] },
      { op: 'remove', path: 'roles', value: { value: 'MaNaGeR' } },
      { op: 'remove', path: 'roles[value co "NAGE" or value eq "nobody"]' },
      { op: 'remove', path: 'roles[not (value eq "employee")]' },
      { op: 'replace', path: 'roles[value eq "manager"].value', value: 'employee' },
      { op: 'remove', path: `${USER}:roles[value eq "MANAGER"].value` },
    ]) {
      assert.deepEqual(rolesOf(await patched(BOTH, operation)), ['EMPLOYEE'], JSON.stringify(operation));
    }
  });

  it('a filter in the path of a SCIM PATCH compares types of e-mail addresses and phones without case', async () => {
    for (const path of [
      'emails[type eq "Work"].value',
      'emails[TYPE eq "WORK"].Value',
      'emails[primary eq "True"].value',
      'emails[type eq "work" and primary eq true].value',
      'emails[type sw "W"].value',
      'emails[not (type eq "home")].value',
      `${USER.toUpperCase()}:emails[type eq "wOrK"].value`,
    ]) {
      for (const op of ['add', 'Replace']) {
        const body = await patched({}, { op, path, value: 'new@w.example' });
        assert.equal(workOf(body), 'new@w.example', `${op} ${path}`);
      }
    }
    const value = '+919845054321';
    const body = await patched(MOBILE, { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value });
    assert.deepEqual(body.phoneNumbers, [{ value, type: 'Mobile' }]);
    const whole = await patched(MOBILE, {
      op: 'replace',
      path: 'phoneNumbers[type eq "MOBILE"]',
      value: { value, type: 'work' },
    });
    assert.deepEqual(whole.phoneNumbers, [{ value, type: 'work' }]);
    const street = { op: 'Add', path: 'addresses[type eq "Work"].streetAddress', value: '1 Road' };
    const code = { op: 'Add', path: 'addresses[TYPE eq "work" and primary eq "true"].postalCode', value: '560001' };
    assert.deepEqual((await patched({}, street, code)).addresses, [
      { type: 'work', streetAddress: '1 Road', postalCode: '560001' },
    ]);
  });

  it('a SCIM PATCH whose path filter finds nothing removes nothing, and returns 400 noTarget for a value', async () => {
    const body = await patched(BOTH, { op: 'remove', path: 'emails[type eq "home"]' });
    assert.equal(workOf(body), body.userName);
    await refused('noTarget', {}, { op: 'replace', path: 'phoneNumbers[type co "x"].value', value: '+919845000001' });
    await refused('noTarget', {}, { op: 'add', path: 'emails[type ne "work"].value', value: 'a@b.example' });
    await refused('invalidPath', {}, { op: 'add', path: 'emails[nonsense eq "x"].value', value: 'a@b.example' });
  });
});

describe('a value that is added', () => {
  it('a value that a SCIM PATCH adds replaces the value of the same type', async () => {
    for (const type of ['work', 'WORK', undefined]) {
      const value = [{ value: 'added@w.example', type, primary: true }];
      assert.equal(workOf(await patched({}, { op: 'add', path: 'emails', value })), 'added@w.example');
    }
    const phones = await patched(MOBILE, {
      op: 'Add',
      path: 'phoneNumbers',
      value: [{ value: '+919845011111', type: 'mobile' }],
    });
    assert.deepEqual(phones.phoneNumbers, [{ value: '+919845011111', type: 'mobile' }]);
    const addresses = { addresses: [{ type: 'work', streetAddress: 'Old', postalCode: '560001' }] };
    const moved = await patched(addresses, {
      op: 'add',
      path: 'addresses',
      value: [{ type: 'Work', streetAddress: 'New', country: 'IN' }],
    });
    assert.deepEqual(moved.addresses, [{ type: 'work', streetAddress: 'New', country: 'IN' }]);
    const without = await patched(addresses, { op: 'add', value: { addresses: { streetAddress: 'Newer' } } });
    assert.deepEqual(without.addresses, [{ type: 'work', streetAddress: 'Newer' }]);
  });

  it('a value of another type that a SCIM PATCH adds is stored if preferred over the present value', async () => {
    const both = await patched(MOBILE, {
      op: 'add',
      path: 'phoneNumbers',
      value: [{ value: '+919845022222', type: 'work' }],
    });
    assert.deepEqual(both.phoneNumbers, [{ value: '+919845022222', type: 'work' }]);
    const preferred = await patched(MOBILE, {
      op: 'add',
      path: 'phoneNumbers',
      value: [{ value: '+919845033333', type: 'pager', primary: 'True' }],
    });
    assert.deepEqual(preferred.phoneNumbers, [{ value: '+919845033333', type: 'pager' }]);
    const home = await patched({}, { op: 'add', path: 'emails', value: [{ value: 'home@h.example', type: 'home' }] });
    assert.notEqual(workOf(home), 'home@h.example');
  });
});

testRemovedValues(directory);

describe('names', () => {
  it("a SCIM PATCH accepts attribute names in any case, with their schema's id and a colon or dot", async () => {
    const dotted = `${ENTERPRISE}.department`;
    const body = await patched(
      {},
      { op: 'REPLACE', path: 'NAME.GIVENNAME', value: 'One' },
      { op: 'rePlace', path: `${USER}:name.familyName`, value: 'Two' },
      { op: 'add', path: dotted, value: 'Three' },
      { op: 'add', path: `${ORGDESK.toUpperCase()}:GENDER`, value: 'Four' },
      { op: 'add', path: `${ENTERPRISE}.manager`, value: 'x' },
      { op: 'add', path: `${ENTERPRISE}:manager.displayName`, value: 'x' },
      { op: 'add', path: `${ENTERPRISE}:manager`, value: [{ $ref: '../Users/x', value: 'x' }] },
      { op: 'add', path: 'photos[type eq "photo"].value', value: 'https://x.example' },
      { op: 'add', path: 'addresses[type eq "work"].locality', value: 'Bengaluru' },
    );
    assert.deepEqual(
      [body.name.givenName, body.name.familyName, body[ENTERPRISE].department, body[ORGDESK].gender, body.addresses],
      ['One', 'Two', 'Three', 'Four', [{ type: 'work', locality: 'Bengaluru' }]],
    );
  });

  it('a SCIM PATCH without a path accepts whole paths as names', async () => {
    const body = await patched(MOBILE, {
      op: 'replace',
      value: {
        'emails[type eq "work"].value': 'flat@w.example',
        'phoneNumbers[type eq "mobile"].value': '+919845077777',
        'addresses[type eq "work"].postalCode': '560001',
        'roles[primary eq "True"].value': 'MANAGER',
        'name.givenName': 'Flat',
        [`${ENTERPRISE}:department`]: 'Flat',
        [`${ENTERPRISE}.costCenter`]: 'x',
        ACTIVE: 'False',
      },
    });
    assert.deepEqual(
      [workOf(body), body.phoneNumbers[0].value, body.addresses[0].postalCode, rolesOf(body), body.active],
      ['flat@w.example', '+919845077777', '560001', ['MANAGER'], false],
    );
    assert.deepEqual([body.name.givenName, body[ENTERPRISE].department], ['Flat', 'Flat']);
    await refused('invalidPath', {}, { op: 'replace', value: { 'emails[kind eq "work"].value': 'flat@w.example' } });
    await refused('invalidPath', {}, { op: 'replace', value: { 'mails[type eq "work"].value': 'flat@w.example' } });
  });

  it('a SCIM request may hold attributes in an object of their schema, also of the core schema', async () => {
    const core = { userName: 'core@forms.example', NAME: { GivenName: 'Core', familyName: 'Object' }, active: 'FALSE' };
    const { status, body } = await directory.send('POST', '/Users', { schemas: [USER], [USER]: core });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.userName, body.name.givenName, body.active], ['core@forms.example', 'Core', false]);
    const changed = await patched(
      {},
      { op: 'replace', value: { [USER.toLowerCase()]: { name: { givenName: 'Inside' } }, [ORGDESK]: { gender: 'X' } } },
      { op: 'add', path: ENTERPRISE, value: { Department: 'Whole' } },
      { op: 'add', path: 'name', value: { familyName: 'Part', middleName: 'M' } },
    );
    assert.deepEqual(
      [changed.name.givenName, changed.name.familyName, changed[ORGDESK].gender, changed[ENTERPRISE].department],
      ['Inside', 'Part', 'X', 'Whole'],
    );
  });
});

describe('a value of another kind', () => {
  it('a SCIM value of another type than its attribute returns 400 invalidValue', async () => {
    for (const [path, value] of [
      ['emails', 'a@b.example'],
      ['emails', 5],
      ['emails', true],
      ['roles', 'MANAGER'],
      ['phoneNumbers', '+919845000001'],
      ['addresses', 'A street'],
      ['emails', [['a@b.example', 'c@d.example']]],
      ['emails', [7]],
      ['userName', ['a@b.example']],
      ['userName', { value: 'a@b.example' }],
      ['name', 'Ines Joiner'],
      ['name', ['Ines']],
      ['active', 'yes'],
      ['active', 1],
      ['active', [true]],
      ['name.givenName', { value: 'Ines' }],
      ['roles[value eq "EMPLOYEE"].value', ['MANAGER']],
    ] as const) {
      for (const op of ['add', 'replace']) await refused('invalidValue', {}, { op, path, value });
      if (path.includes('[')) continue;
      await refused('invalidValue', {}, { op: 'replace', value: { [path]: value } });
      if (path.includes('.')) continue;
      for (const method of ['POST', 'PUT'] as const) {
        const user = await createUser(directory);
        const url = method === 'POST' ? '/Users' : `/Users/${user.id}`;
        const { status, body } = await directory.send(method, url, { ...newUser(), [path]: value });
        assert.deepEqual([status, body.scimType], [400, 'invalidValue'], `${method} ${path}`);
      }
    }
  });

  it('a SCIM value of another type is accepted where its meaning is clear', async () => {
    const user = await createUser(directory, {
      emails: ['plain@w.example'],
      phoneNumbers: [{ value: 919845000001 }],
      addresses: { streetAddress: 'One object', postalCode: 560001 },
      active: 'fAlSe',
      roles: ['manager'],
      [ORGDESK]: { approvalLimit: 120.5, dateOfBirth: '' },
    });
    assert.deepEqual(
      // Digits without + name no country.
      [workOf(user), user.phoneNumbers, user.addresses[0], user.active, rolesOf(user)],
      [
        'plain@w.example',
        undefined,
        { type: 'work', streetAddress: 'One object', postalCode: '560001' },
        false,
        ['MANAGER'],
      ],
    );
    assert.equal(user[ORGDESK].approvalLimit, '120.50');
    const empty = await createUser(directory, {
      emails: [{ value: '', type: 'work' }, {}, null],
      phoneNumbers: [],
      addresses: null,
      roles: null,
      externalId: '',
      [ENTERPRISE]: null,
    });
    assert.deepEqual([workOf(empty), empty.externalId, rolesOf(empty)], [empty.userName, undefined, ['EMPLOYEE']]);
  });
});
