import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, companyNamed } from '../support/people.ts';

const URL = '/api/users/profile';
const OWN_FIELDS = [
  'id',
  'email',
  'firstName',
  'lastName',
  'phone',
  'clientType',
  'companyId',
  'departmentId',
  'employeeBand',
  'bandId',
  'approvalLimit',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
  'loyaltyPoints',
  'active',
  'createdAt',
  'updatedAt',
];

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

async function view(email: string, method: 'GET' | 'POST' = 'GET'): Promise<ProfileView> {
  return dataOf<ProfileView>(await api.send({ url: URL, method, as: email }));
}

function keysOf(value: object | null | undefined): string[] {
  assert.ok(value);
  return Object.keys(value).sort();
}

describe('view profile', () => {
  for (const method of ['GET', 'POST'] as const) {
    it(`users/profile by ${method} returns the full profile in the common envelope`, async () => {
      const response = await api.send({ url: URL, method, as: 'admin@acme.example' });
      assert.equal(response.statusCode, 200);
      assert.match(String(response.headers['content-type']), /^application\/json/);
      const body = response.json();
      assert.deepEqual(keysOf(body), ['data', 'message', 'success']);
      assert.equal(body.success, true);
      assert.equal(body.message, 'User profile retrieved successfully');
      assert.deepEqual(
        keysOf(body.data),
        [...OWN_FIELDS, 'company', 'department', 'band', 'companyRoles', 'systemRoleMap', 'roles'].sort(),
      );
      assert.deepEqual(keysOf(body.data.company), ['active', 'gstin', 'id', 'legalName', 'name']);
      assert.deepEqual(keysOf(body.data.department), ['costCode', 'id', 'name']);
      assert.deepEqual(keysOf(body.data.band), ['autoApprovalLimit', 'code', 'id', 'maxBookingLimit', 'name']);
      for (const role of body.data.companyRoles) assert.deepEqual(keysOf(role), ['companyId', 'id', 'role']);
    });
  }

  it('users/profile returns the values of the database', async () => {
    const company = await companyNamed(api.db, 'Acme');
    const columns = {
      first_name: 'Zoë',
      last_name: 'O’Neil 🦉',
      phone: '+91 (22) 1234-5678',
      client_type: 'AGENCY',
      approval_limit: '9999999999999.99',
      date_of_birth: '1984-02-29',
      gender: 'Female',
      address_line_1: '1, "Quoted" <b>Road</b>',
      address_line_2: 'Flat 2',
      pincode: 'SW1A 1AA',
      loyalty_points: 2_147_483_647,
      created_at: '2026-01-02T03:04:05.6Z',
      updated_at: '2026-01-02T08:34:05+05:30',
    };
    const { id, email } = await addPerson(api.db, { company, columns });
    const { company: _, department, band, ...fields } = await view(email);
    assert.deepEqual(fields, {
      id,
      email,
      firstName: 'Zoë',
      lastName: 'O’Neil 🦉',
      phone: '+91 (22) 1234-5678',
      clientType: 'AGENCY',
      companyId: company.id,
      departmentId: company.departmentId,
      bandId: company.bandId,
      employeeBand: band.code,
      approvalLimit: '9999999999999.99',
      dateOfBirth: '1984-02-29T00:00:00.000Z',
      gender: 'Female',
      addressLine1: '1, "Quoted" <b>Road</b>',
      addressLine2: 'Flat 2',
      pincode: 'SW1A 1AA',
      loyaltyPoints: 2_147_483_647,
      active: true,
      createdAt: '2026-01-02T03:04:05.600Z',
      updatedAt: '2026-01-02T03:04:05.000Z',
      companyRoles: [],
      systemRoleMap: null,
      roles: [],
    });
    assert.equal(department.id, company.departmentId);
    assert.equal(band.id, company.bandId);
  });

  it('users/profile returns company, department and band as they are stored', async () => {
    const { company, department, band, companyId, departmentId, bandId } = await view('admin@acme.example');
    const [expected] = await api.db.query(sql`
      select json_build_object('id', companies.id, 'name', companies.name, 'legalName', legal_name, 'gstin', gstin,
                               'active', active) as company,
             json_build_object('id', departments.id, 'name', departments.name, 'costCode', cost_code) as department,
             json_build_object('id', bands.id, 'name', bands.name, 'code', code,
                               'autoApprovalLimit', auto_approval_limit::text,
                               'maxBookingLimit', max_booking_limit::text) as band
        from companies, departments, employee_bands bands
       where companies.id = ${companyId} and departments.id = ${departmentId} and bands.id = ${bandId}`);
    assert.deepEqual({ company, department, band }, expected);
    assert.match(band.autoApprovalLimit, /^\d+\.\d{2}$/);
    assert.match(String(band.maxBookingLimit), /^\d+\.\d{2}$/);
  });

  it('users/profile returns null for an absent second address line and an absent booking limit', async () => {
    const company = await addCompany(api.db, 'Limitless');
    const { email } = await addPerson(api.db, { company, columns: { address_line_2: null } });
    const profile = await view(email);
    assert.equal(profile.addressLine2, null);
    assert.equal(profile.band.maxBookingLimit, null);
    assert.equal(profile.band.autoApprovalLimit, '50.00');
  });

  it('users/profile returns each company role and an active platform role once, sorted', async () => {
    const [acme, globex] = [await companyNamed(api.db, 'Acme'), await companyNamed(api.db, 'Globex')];
    const { email } = await addPerson(api.db, {
      roles: [
        ['MANAGER', globex],
        ['EMPLOYEE', acme],
        ['MANAGER', acme],
        ['CORPORATE_ADMIN', acme],
      ],
      systemRole: { role: 'SUPER_ADMIN', active: true },
    });
    const profile = await view(email);
    assert.deepEqual(profile.roles, ['CORPORATE_ADMIN', 'EMPLOYEE', 'MANAGER', 'SUPER_ADMIN']);
    assert.deepEqual(profile.systemRoleMap, { role: 'SUPER_ADMIN', active: true });
    assert.deepEqual(
      profile.companyRoles.map(({ companyId, role }) => `${companyId} ${role}`).sort(),
      [`${acme.id} CORPORATE_ADMIN`, `${acme.id} EMPLOYEE`, `${acme.id} MANAGER`, `${globex.id} MANAGER`].sort(),
    );
    assert.equal(new Set(profile.companyRoles.map(({ id }) => id)).size, 4);
  });

  it('users/profile returns an inactive platform role, and omits it from the roles', async () => {
    const { email } = await addPerson(api.db, { systemRole: { role: 'PLATFORM_RM', active: false } });
    const profile = await view(email);
    assert.deepEqual(profile.systemRoleMap, { role: 'PLATFORM_RM', active: false });
    assert.deepEqual(profile.roles, []);
  });

  it("users/profile returns the caller's profile, whatever user the request names", async () => {
    const other = await addPerson(api.db);
    const payload = { id: other.id, userId: other.id, email: other.email };
    const email = 'employee@acme.example';
    for (const response of [
      await api.send({ url: URL, as: email, query: payload }),
      await api.send({ url: URL, method: 'POST', as: email, payload, query: payload }),
      await api.send({ url: URL, as: email, headers: { 'x-user-id': other.id } }),
    ]) {
      assert.equal(dataOf<ProfileView>(response).email, email);
    }
    assert.equal((await api.send({ url: `${URL}/${other.id}`, as: email })).statusCode, 404);
  });

  it('users/profile by POST accepts an empty body with any content type, and an object that it ignores', async () => {
    for (const request of [
      {},
      { payload: '', headers: { 'content-type': 'application/json' } },
      { payload: '', headers: { 'content-type': 'text/plain' } },
      { payload: {} },
      { payload: { firstName: 1, page: 'x' } },
    ]) {
      const response = await api.send({ url: URL, method: 'POST', as: 'admin@acme.example', ...request });
      assert.equal(dataOf<ProfileView>(response).email, 'admin@acme.example');
    }
  });

  it('users/profile returns the same response and strong ETag by GET and POST', async () => {
    const [get, post] = [
      await api.send({ url: URL, as: 'manager@acme.example' }),
      await api.send({ url: URL, method: 'POST', as: 'manager@acme.example' }),
    ];
    assert.equal(get.body, post.body);
    assert.match(String(get.headers.etag), /^"[^"]+"$/);
    assert.equal(get.headers.etag, post.headers.etag);
  });

  it('users/profile returns the same ETag with and without included parts, and an update accepts it', async () => {
    const as = 'manager@acme.example';
    const { etag } = (await api.send({ url: URL, as })).headers;
    for (const include of ['employment', 'substitution', 'employment,substitution']) {
      const response = await api.send({ url: URL, as, query: { include } });
      assert.equal(response.headers.etag, etag, include);
      const headers = { 'if-match': String(response.headers.etag) };
      dataOf(await api.send({ method: 'POST', url: '/api/users/update-profile', as, payload: {}, headers }));
    }
  });

  it('users/profile returns another ETag as soon as anything in the full profile differs', async () => {
    const company = await addCompany(api.db, 'Tag');
    const { id, email } = await addPerson(api.db, { company });
    const seen = new Set<unknown>();
    const tag = async () => (await api.send({ url: URL, as: email })).headers.etag;
    for (const change of [
      sql`select`,
      sql`update users set loyalty_points = 7 where id = ${id}`,
      sql`update companies set name = 'Tag 2' where id = ${company.id}`,
      sql`update departments set cost_code = 'CC-2' where id = ${company.departmentId}`,
      sql`update employee_bands set max_booking_limit = 5 where id = ${company.bandId}`,
      sql`insert into system_roles values (${id}, 'PLATFORM_RM', false)`,
      sql`insert into company_roles (user_id, company_id, role) values (${id}, ${company.id}, 'MANAGER')`,
    ]) {
      await api.db.query(change);
      assert.equal(await tag(), await tag());
      seen.add(await tag());
    }
    assert.equal(seen.size, 7);
  });

  it('users/profile is never cached, be it a profile or a refusal', async () => {
    for (const request of [{ as: 'admin@acme.example' }, { as: 'inactive@acme.example' }, {}]) {
      for (const method of ['GET', 'POST', 'HEAD'] as const) {
        const response = await api.send({ url: URL, method, ...request });
        assert.equal(response.headers['cache-control'], 'no-store');
      }
    }
  });

  it('users/profile by HEAD returns the headers of GET, and other methods get 405 with Allow', async () => {
    const head = await api.send({ url: URL, method: 'HEAD', as: 'admin@acme.example' });
    assert.equal(head.statusCode, 200);
    assert.match(String(head.headers.etag), /^"[^"]+"$/);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const response = await api.send({ url: URL, method, as: 'admin@acme.example' });
      assert.equal(response.statusCode, 405);
      assert.equal(response.headers.allow, 'GET, HEAD, POST');
    }
  });
});
