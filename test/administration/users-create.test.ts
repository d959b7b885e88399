import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { addCompany } from '../support/people.ts';
import {
  describeChange,
  messageOf,
  NO_EMPLOYMENT,
  openAdministration,
  personFields,
  userOf,
} from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, get, post, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

const UNSET = { phone: null, dateOfBirth: null, gender: null, addressLine1: null, addressLine2: null, pincode: null };

const create = (fields: object, as = admin) => post(as, 'users/create', fields);

describe('users/create', () => {
  it('users/create needs a company, an e-mail address and a name, and sets defaults or null for the rest', async () => {
    const fields = personFields(home);
    const response = await create(fields);
    assert.equal(messageOf(response), 'User created successfully');
    const { createdAt, updatedAt, company, department, band, companyRoles, ...user } = userOf(response);
    assert.deepEqual(user, {
      ...fields,
      ...UNSET,
      departmentId: home.departmentId,
      bandId: home.bandId,
      employeeBand: 'DEFAULT',
      clientType: 'CORPORATE',
      approvalLimit: '0.00',
      loyaltyPoints: 0,
      active: true,
      systemRoleMap: null,
      roles: ['EMPLOYEE'],
      externalId: null,
      works: true,
      workerType: 'EMPLOYEE',
      hostId: null,
      host: null,
      until: null,
      legalEntityId: home.id,
      legalEntity: { id: home.id, name: 'Initech', inherited: true },
      employment: NO_EMPLOYMENT,
      manager: null,
      substitution: { userId: fields.id, substitute: null, from: null, until: null },
      substitutions: [],
      workEmail: null,
      signIn: { linked: false, connectionId: null, lastSignInAt: null, lastRefusal: null },
    });
    assert.equal(createdAt, updatedAt);
    assert.deepEqual([company.id, department.name, band.name], [home.id, 'General', 'Default']);
    assert.deepEqual(
      companyRoles.map(({ companyId, role }) => [companyId, role]),
      [[home.id, 'EMPLOYEE']],
    );
    const got = await get(admin, 'users/get', { id: fields.id });
    const roleSources = [{ companyId: home.id, role: 'EMPLOYEE', byHand: true, groups: [] }];
    assert.deepEqual(
      [got.json().data, got.headers.etag],
      [{ ...response.json().data, roleSources }, response.headers.etag],
    );
  });

  it('users/create stores every field of a person, trimmed', async () => {
    const fields = {
      ...personFields(home),
      clientType: 'AGENCY',
      approvalLimit: '12.5',
      phone: ' +91 98450 12345 ',
      dateOfBirth: '1990-05-14',
      gender: ' Female',
      addressLine1: '14 Lake View Road ',
      addressLine2: 'Flat 3B',
      pincode: '560001',
      departmentId: home.departmentId,
      bandId: home.bandId,
      roles: ['MANAGER', 'EMPLOYEE'],
    };
    const user = userOf(await create({ ...fields, id: fields.id.toUpperCase() }));
    const expected = {
      ...fields,
      approvalLimit: '12.50',
      phone: '+919845012345',
      gender: 'Female',
      addressLine1: '14 Lake View Road',
      dateOfBirth: '1990-05-14T00:00:00.000Z',
      roles: ['EMPLOYEE', 'MANAGER'],
    };
    assert.deepEqual({ ...user, ...expected }, user);
  });

  it('users/create accepts null for optional fields, and an empty list of roles', async () => {
    const user = userOf(await create({ ...personFields(home), ...UNSET, roles: [] }));
    assert.deepEqual({ ...user, ...UNSET, roles: [] }, user);
  });

  it('users/create generates an id if none is given', async () => {
    const { id: _, ...fields } = personFields(home);
    const { id } = userOf(await create(fields));
    assert.equal(userOf(await get(admin, 'users/get', { id })).email, fields.email);
  });

  it('a person added by users/create can sign in immediately', async () => {
    const { id, email } = userOf(await create(personFields(home)));
    assert.equal(userOf(await api.send({ url: '/api/users/profile', as: email })).id, id);
  });

  it('users/create records the person and each role in the trail and the feed, with values and author', async () => {
    const fields = { ...personFields(home), phone: '+353 1 555 0100', roles: ['EMPLOYEE', 'MANAGER'] };
    let response = {} as Awaited<ReturnType<typeof create>>;
    const changes = await changesOf(async () => {
      response = await create(fields);
    });
    const { id, companyRoles } = userOf(response);
    const [user, ...roles] = changes.map(describeChange);
    const added = (value: unknown) => [null, value];
    assert.deepEqual(user, {
      what: 'user added',
      id,
      fields: {
        email: added(fields.email),
        firstName: added('Asha'),
        lastName: added('Rao'),
        phone: added('+35315550100'),
        workerType: added('EMPLOYEE'),
        clientType: added('CORPORATE'),
        companyId: added(home.id),
        departmentId: added(home.departmentId),
        bandId: added(home.bandId),
        approvalLimit: added('0.00'),
        loyaltyPoints: added(0),
        active: added(true),
      },
    });
    assert.deepEqual(
      roles.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      companyRoles
        .map((role) => ({
          what: 'companyRole added',
          id: role.id,
          fields: { userId: added(id), companyId: added(home.id), role: added(role.role) },
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const { actor, requestId, userId, companyId } of changes) {
      assert.deepEqual(actor, { kind: 'user', userId: admin.id, runId: null });
      assert.deepEqual([requestId, userId, companyId], [response.headers['x-request-id'], id, home.id]);
    }
  });
});

describe('users/create, repeated', () => {
  it('users/create repeated with the same content returns the same person, and leaves no trace', async () => {
    const fields = { ...personFields(home), gender: 'Other', roles: ['MANAGER', 'EMPLOYEE'] };
    const first = await create(fields);
    for (const again of [fields, { ...fields, roles: ['EMPLOYEE', 'MANAGER'], approvalLimit: '0' }]) {
      const response = await withoutTrace(() => create(again));
      assert.deepEqual([response.json().data, response.headers.etag], [userOf(first), first.headers.etag]);
    }
  });

  it('users/create repeated with other content, or after a change of the person, returns 409', async () => {
    const fields = personFields(home);
    userOf(await create(fields));
    for (const more of [{ lastName: 'Roy' }, { roles: [] }, { phone: '+353 1 555 0100' }, { companyId: other.id }]) {
      const response = await withoutTrace(() => create({ ...fields, ...more }, superAdmin));
      const { message, errors } = assertRefused(response, 409, 'ALREADY_EXISTS', ['id']);
      assert.equal(message, 'Another user has this id already.');
      assert.equal(errors?.[0]?.code, 'ALREADY_EXISTS');
    }
    const grant = { userId: fields.id, role: 'MANAGER', companyId: home.id };
    userOf(await post(admin, 'users/grant-role', grant));
    assertRefused(await create(fields), 409, 'ALREADY_EXISTS', ['id']);
    userOf(await post(admin, 'users/revoke-role', grant));
    userOf(await create(fields));
    userOf(await post(admin, 'users/update', { id: fields.id, gender: 'Other' }));
    assertRefused(await create(fields), 409, 'ALREADY_EXISTS', ['id']);
  });
});

describe('refusals of users/create', () => {
  it('users/create returns 409 for an e-mail address of anybody in any company, in either case', async () => {
    const taken = userOf(await create(personFields(other), superAdmin)).email;
    for (const email of [taken, taken.toUpperCase()]) {
      const response = await withoutTrace(() => create({ ...personFields(home), email }));
      const { message } = assertRefused(response, 409, 'ALREADY_EXISTS', ['email']);
      assert.equal(
        message,
        'Another user has this email already. If it is a person of another company, ask for them by users/request-move.',
      );
    }
  });

  it('users/create returns 400 alike for a foreign and an unknown department or band', async () => {
    const bodies = new Set<string>();
    for (const { departmentId, bandId } of [other, { departmentId: randomUUID(), bandId: randomUUID() }]) {
      const error = assertInvalid(
        await create({ ...personFields(home), departmentId, bandId }),
        'departmentId',
        'bandId',
      );
      bodies.add(JSON.stringify({ ...error, requestId: '' }));
    }
    assert.equal(bodies.size, 1);
    assert.match(String([...bodies]), /departmentId must be the id of a department of this company\./);
  });

  it('users/create returns 400 without a department or band if the company has no default', async () => {
    const bare = await addCompany(api.db, 'Bare');
    const fields = personFields(bare);
    const { message } = assertInvalid(await create(fields, superAdmin), 'departmentId', 'bandId');
    assert.match(message, /departmentId is required: the company has no default\./);
    assertInvalid(await create({ ...fields, bandId: bare.bandId }, superAdmin), 'departmentId');
    userOf(await create({ ...fields, departmentId: bare.departmentId, bandId: bare.bandId }, superAdmin));
  });

  it('users/create returns 400 with the index of a repeated, platform or unknown role', async () => {
    for (const [roles, field] of [
      [['MANAGER', 'EMPLOYEE', 'MANAGER'], 'roles[2]'],
      [['SUPER_ADMIN'], 'roles[0]'],
      [['EMPLOYEE', 'employee'], 'roles[1]'],
      [['EMPLOYEE', null], 'roles[1]'],
      ['EMPLOYEE', 'roles'],
      [null, 'roles'],
    ] as const) {
      assertInvalid(await create({ ...personFields(home), roles }), field);
    }
  });

  it('users/create returns all problems at once, unknown fields included', async () => {
    const { errors } = assertInvalid(
      await create({ email: 'nobody', firstName: '', approvalLimit: 5, pincode: '1', active: true, loyaltyPoints: 7 }),
      'companyId',
      'email',
      'firstName',
      'lastName',
      'approvalLimit',
      'pincode',
      'loyaltyPoints',
      'active',
    );
    assert.deepEqual(
      errors?.map(({ code }) => code),
      [
        'REQUIRED',
        'INVALID_FORMAT',
        'TOO_SHORT',
        'REQUIRED',
        'INVALID_TYPE',
        'TOO_SHORT',
        'UNKNOWN_FIELD',
        'UNKNOWN_FIELD',
      ],
    );
  });

  it('users/create by a Super Admin returns 403 for an unknown company, and accepts a closed company', async () => {
    assertRefused(await create(personFields({ ...home, id: randomUUID() }), superAdmin), 403, 'COMPANY_FORBIDDEN');
    const closed = await administration.addCompany();
    await post(superAdmin, 'companies/update', { id: closed.id, active: false });
    assert.equal(dataOf<ProfileView>(await create(personFields(closed), superAdmin)).company.active, false);
  });

  it('users/create returns 403 for a foreign company before it checks the department', async () => {
    const fields = { ...personFields(other), departmentId: randomUUID() };
    assertRefused(await create(fields), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await create({ ...fields, companyId: randomUUID() }, superAdmin), 403, 'COMPANY_FORBIDDEN');
  });
});
