import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { CompanyDetail } from '../../src/features/companies/companies-schemas.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { companyFields, describeChange, messageOf, openAdministration, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, get, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

const companyOf = (response: Awaited<ReturnType<typeof post>>) => dataOf<CompanyDetail>(response);
const create = (fields: object) => post(superAdmin, 'companies/create', fields);
const update = (fields: object, as = superAdmin, headers: Record<string, string> = {}) =>
  post(as, 'companies/update', fields, headers);
const firstAdmin = () => ({ email: `${randomUUID()}@new.example`, firstName: 'Asha', lastName: 'Rao' });

describe('companies/create', () => {
  it('companies/create adds a company with its first department and band, which are its defaults', async () => {
    const fields = companyFields();
    const response = await create(fields);
    assert.equal(messageOf(response), 'Company created successfully');
    const { createdAt, updatedAt, defaultDepartmentId, defaultBandId, ...company } = companyOf(response);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(company, {
      ...fields,
      creditLimit: '0.00',
      creditDays: 0,
      active: true,
      country: null,
      currency: 'INR',
      timeZone: 'UTC',
      externalId: null,
      budgetPeriod: 'YEAR',
      fiscalYearStart: 1,
      closedTo: null,
      creditUsed: '0.00',
      _count: { users: 0, bookings: 0 },
    });
    const id = randomUUID();
    const leader = { id, companyId: fields.id, email: `${id}@new.example`, firstName: 'Bo', lastName: 'Li' };
    const { department, band } = userOf(await post(superAdmin, 'users/create', { ...leader, roles: ['MANAGER'] }));
    assert.deepEqual(department, { id: defaultDepartmentId, name: 'General', costCode: 'GENERAL' });
    const limits = { autoApprovalLimit: '0.00', maxBookingLimit: null };
    assert.deepEqual(band, { id: defaultBandId, name: 'Default', code: 'DEFAULT', ...limits });
    const query = { companyId: fields.id };
    const [listed] = pageOf<{ budget: string | null }>(await get({ ...leader }, 'departments/list', query)).items;
    assert.equal(listed?.budget, null);
    const got = await get(superAdmin, 'companies/get', { id: fields.id });
    assert.equal(got.headers.etag, response.headers.etag, 'counts are no part of the tag');
    assert.equal(messageOf(got), 'Company retrieved successfully');
  });

  it('companies/create adds a first administrator, who can sign in and update the company', async () => {
    const person = { ...firstAdmin(), phone: '+35315550100' };
    const { id, defaultDepartmentId } = companyOf(await create({ ...companyFields(), firstAdmin: person }));
    const profile = userOf(await api.send({ url: '/api/users/profile', as: person.email }));
    assert.deepEqual({ ...profile, ...person, companyId: id, departmentId: defaultDepartmentId }, profile);
    assert.deepEqual([profile.roles, profile.approvalLimit, profile.gender], [['CORPORATE_ADMIN'], '0.00', null]);
    const self = { id: profile.id, email: person.email };
    assert.equal(messageOf(await update({ id, email: 'hello@new.example' }, self)), 'Company updated successfully');
  });

  it('companies/create records each created entity in the trail once', async () => {
    const fields = { ...companyFields(), creditLimit: '5', creditDays: 7 };
    const person = firstAdmin();
    const changes = await changesOf(() => create({ ...fields, firstAdmin: person }));
    const { id, ...content } = fields;
    const [company, department, band, user, role] = changes.map(describeChange);
    const added = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [null, value]]));
    assert.deepEqual(
      changes.map((change) => describeChange(change).what),
      [
        'company added',
        'department added',
        'band added',
        'user added',
        'companyRole added',
        'legalEntity added',
        'taxRegistration added',
      ],
    );
    const defaults = { defaultDepartmentId: department?.id, defaultBandId: band?.id };
    assert.deepEqual(
      company?.fields,
      added({
        ...content,
        creditLimit: '5.00',
        active: true,
        timeZone: 'UTC',
        budgetPeriod: 'YEAR',
        fiscalYearStart: 1,
        ...defaults,
      }),
    );
    assert.deepEqual(
      department?.fields,
      added({
        companyId: id,
        name: 'General',
        costCode: 'GENERAL',
        budgets: '[{"from": null, "budget": null}]',
      }),
    );
    const limits = { autoApprovalLimit: '0.00' };
    assert.deepEqual(band?.fields, added({ companyId: id, name: 'Default', code: 'DEFAULT', ...limits }));
    assert.deepEqual(user?.fields.email, [null, person.email]);
    assert.deepEqual(role?.fields, added({ userId: user?.id, companyId: id, role: 'CORPORATE_ADMIN' }));
    assert.ok(changes.slice(0, -1).every(({ companyId }) => companyId === id));
  });

  it('companies/create returns the same company when repeated, and 409 for other content', async () => {
    const fields = { ...companyFields(), firstAdmin: firstAdmin() };
    const first = await create(fields);
    const again = await withoutTrace(() => create({ ...fields, creditLimit: '0', id: fields.id.toUpperCase() }));
    assert.deepEqual([companyOf(again), again.headers.etag], [companyOf(first), first.headers.etag]);
    const { firstAdmin: person, ...alone } = fields;
    for (const content of [
      { ...fields, name: 'Initrode' },
      { ...fields, creditDays: 1 },
      alone,
      { ...alone, firstAdmin: { ...person, lastName: 'Roy' } },
      { ...alone, firstAdmin: firstAdmin() },
    ]) {
      const refused = await withoutTrace(() => create(content));
      const { message } = assertRefused(refused, 409, 'ALREADY_EXISTS', ['id']);
      assert.equal(message, 'Another company has this id already.');
    }
    companyOf(await update({ id: fields.id, active: false }));
    assertRefused(await create(fields), 409, 'ALREADY_EXISTS', ['id']);
  });

  it('companies/create returns 409 for a GSTIN of another company in either case, and adds nothing', async () => {
    const { gstin } = companyOf(await create(companyFields()));
    const refused = await withoutTrace(() =>
      create({ ...companyFields(), gstin: gstin.toUpperCase(), firstAdmin: firstAdmin() }),
    );
    const { message } = assertRefused(refused, 409, 'ALREADY_EXISTS', ['gstin']);
    assert.equal(message, 'Another company has this gstin already.');
  });

  it('companies/create returns 409 for a first administrator who exists already, and adds nothing', async () => {
    const fields = companyFields();
    const person = { ...firstAdmin(), email: admin.email.toUpperCase() };
    const refused = await withoutTrace(() => create({ ...fields, firstAdmin: person }));
    assertRefused(refused, 409, 'ALREADY_EXISTS', ['firstAdmin.email']);
    assertRefused(await get(superAdmin, 'companies/get', { id: fields.id }), 404, 'NOT_FOUND');
  });

  it('companies/create returns all problems at once, those of the first administrator included', async () => {
    const person = { email: 'nobody', firstName: ' ', phone: 'none', pincode: '12345' };
    assertInvalid(
      await create({ name: 'X', gstin: '?', creditDays: -1, active: true, firstAdmin: person }),
      'legalName',
      'gstin',
      'email',
      'creditDays',
      'firstAdmin.email',
      'firstAdmin.firstName',
      'firstAdmin.lastName',
      'firstAdmin.phone',
      'firstAdmin.pincode',
      'active',
    );
    for (const wrong of [null, 'x', [], 1]) {
      assertInvalid(await create({ ...companyFields(), firstAdmin: wrong }), 'firstAdmin');
    }
  });
});

describe('companies/update', () => {
  it('companies/update by a Super Admin changes every field, and records old and new values', async () => {
    const { id } = await administration.addCompany();
    const { gstin } = companyFields();
    const fields = { name: 'Initrode', legalName: 'Initrode Ltd', gstin, email: 'x@y.example', creditLimit: '9.50' };
    const all = { ...fields, creditDays: 9, active: false, defaultDepartmentId: null, defaultBandId: null };
    const before = companyOf(await get(superAdmin, 'companies/get', { id }));
    const [change] = await changesOf(async () => {
      const company = companyOf(await update({ id, ...all }));
      assert.deepEqual({ ...company, ...all }, company);
      assert.ok(company.updatedAt > before.updatedAt);
    });
    const pairs = Object.entries(all).map(([name, value]) => [name, [before[name as keyof typeof all], value]]);
    assert.deepEqual(change && describeChange(change).fields, Object.fromEntries(pairs));
  });

  it('companies/update that changes nothing leaves no trace', async () => {
    const { _count, createdAt, updatedAt, ...same } = companyOf(await get(admin, 'companies/get', { id: home.id }));
    const response = await withoutTrace(() => update({ ...same, creditLimit: '0' }, admin));
    assert.equal(companyOf(response).updatedAt, updatedAt);
  });

  it('companies/update by a Corporate Admin changes only the address and the defaults', async () => {
    const { name, legalName } = companyOf(await get(admin, 'companies/get', { id: home.id }));
    for (const fields of [{ name: 'X' }, { gstin: 'X-1', creditDays: 1 }, { active: false }, { creditLimit: '1.00' }]) {
      const refused = await withoutTrace(() => update({ id: home.id, ...fields, email: 'x@y.example' }, admin));
      const { errors } = assertRefused(refused, 403, 'FIELD_FORBIDDEN', Object.keys(fields));
      assert.equal(errors?.[0]?.message, `${Object.keys(fields)[0]} is changed by a Super Admin alone.`);
    }
    const own = { email: 'x@y.example', defaultDepartmentId: null, defaultBandId: null };
    const company = companyOf(await update({ id: home.id, name, legalName, ...own }, admin));
    assert.deepEqual({ ...company, ...own }, company);
    const back = { defaultDepartmentId: home.departmentId, defaultBandId: home.bandId };
    companyOf(await update({ id: home.id, ...back }, admin));
  });

  it('companies/update returns 400 for a default department or band of another company', async () => {
    for (const [departmentId, bandId] of [
      [other.departmentId, other.bandId],
      [randomUUID(), randomUUID()],
    ]) {
      const places = { defaultDepartmentId: departmentId, defaultBandId: bandId };
      assertInvalid(await update({ id: home.id, ...places }, admin), 'defaultDepartmentId', 'defaultBandId');
    }
  });

  it('companies/update refuses a GSTIN of another company, null for required fields, and unknown fields', async () => {
    const { gstin } = companyOf(await get(foreignAdmin, 'companies/get', { id: other.id }));
    assertRefused(await update({ id: home.id, gstin }), 409, 'ALREADY_EXISTS', ['gstin']);
    const nulls = { name: null, legalName: null, gstin: null, email: null, creditLimit: null, creditDays: null };
    const wrong = { ...nulls, active: null, firstAdmin: {}, companyId: home.id };
    assertInvalid(await update({ id: home.id, ...wrong }), ...Object.keys(wrong));
    assertInvalid(await update({}), 'id');
  });

  it('companies/update checks If-Match after the fields and before conflicts', async () => {
    const headers = { 'if-match': '"stale"' };
    const { gstin } = companyOf(await get(foreignAdmin, 'companies/get', { id: other.id }));
    const { data } = assertRefused(
      await withoutTrace(() => update({ id: home.id, gstin }, superAdmin, headers)),
      412,
      'PRECONDITION_FAILED',
    );
    const got = await get(superAdmin, 'companies/get', { id: home.id });
    assert.deepEqual(data, companyOf(got));
    assertRefused(await update({ id: home.id, name: 'X' }, admin, headers), 403, 'FIELD_FORBIDDEN', ['name']);
    assertRefused(await update({ id: randomUUID() }, superAdmin, headers), 404, 'NOT_FOUND');
    assertInvalid(await update({ id: home.id, defaultBandId: other.bandId }, admin, headers), 'defaultBandId');
    companyOf(await update({ id: home.id, creditDays: 3 }, superAdmin, { 'if-match': String(got.headers.etag) }));
  });

  it('companies/update closes a company to its people, and opens the company again', async () => {
    const company = await administration.addCompany();
    const own = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const rm = await add({ systemRole: { role: 'PLATFORM_RM', active: true } });
    companyOf(await update({ id: company.id, active: false }));
    assertRefused(await get(own, 'companies/get', { id: company.id }), 404, 'NOT_FOUND');
    assertRefused(await update({ id: company.id, email: 'x@y.example' }, own), 404, 'NOT_FOUND');
    assertRefused(await get(own, 'users/list', { companyId: company.id }), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await get(own, 'users/get', { id: own.id }), 404, 'NOT_FOUND');
    for (const staff of [rm, superAdmin]) {
      assert.equal(companyOf(await get(staff, 'companies/get', { id: company.id })).active, false);
    }
    assert.equal(userOf(await get(superAdmin, 'users/get', { id: own.id })).company.active, false);
    companyOf(await update({ id: company.id, active: true }));
    companyOf(await get(own, 'companies/get', { id: company.id }));
  });

  it('companies/get counts people and not their roles, deactivated people included', async () => {
    const company = await administration.addCompany();
    await add({ company, columns: { active: false } });
    await add({ roles: [['MANAGER', company]] });
    const { _count } = companyOf(await get(superAdmin, 'companies/get', { id: company.id }));
    assert.deepEqual(_count, { users: 1, bookings: 0 });
  });
});
