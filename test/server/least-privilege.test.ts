import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { contextOf } from '../../src/app/context.ts';
import { linkIdentity, moveLink } from '../../src/auth/callers/identity-queries.ts';
import { explainError } from '../../src/commands/explain-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrator.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { prepare } from '../../src/server/prepare.ts';
import { trailFor } from '../audit/trail.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import { newCompany } from '../support/company-things.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { companyNamed } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { DEMO, openDocumentedRoles } from './documented-roles.ts';

const EMPLOYEE = 'employee@acme.example';
const REFUSED = { code: '42501' };
const roles = await openDocumentedRoles();
const { owner, service } = roles;
const config = readConfig({ DATABASE_URL: roles.url, LOG_LEVEL: 'silent' });
const explained = (error: unknown) => String(explainError(error, config));

describe('with the documented roles', { concurrency: false }, () => {
  let api: TestApp;
  after(async () => {
    await (api ?? service)[Symbol.asyncDispose]();
    await roles[Symbol.asyncDispose]();
  });

  it("migrate as the service's role without a schema is refused with what to do", async () => {
    await assert.rejects(
      migrate(service),
      /no schema that this role may read.*`orgdesk migrate` as the role that owns/,
    );
  });

  it("the owner's role migrates, imports and grants the service its rights, also twice", async () => {
    await roles.prepare();
  });

  it('the service starts with the documented database role, and reads and updates', async () => {
    const context = await contextOf(config, service);
    const output = {
      print: (text: string) => assert.fail(text),
      progress: () => undefined,
      flushed: async () => undefined,
    };
    await prepare(context, output, new AbortController().signal);
    api = await buildTestApp({}, async () => service);

    for (const url of ['/readyz', '/api/countries/list', '/api/states/list', '/api/cities/list']) {
      assert.equal((await api.send({ url })).statusCode, 200, url);
    }
    const profile = await api.send({ url: '/api/users/profile', as: EMPLOYEE });
    assert.equal(dataOf<{ email: string }>(profile).email, EMPLOYEE);
    for (const [gender, headers] of [['One', {}] as const, ['Two', { 'if-match': '*' }] as const]) {
      const response = await updateProfile(api, 'POST', EMPLOYEE, { ...allFields(), gender }, headers);
      assert.equal(dataOf<{ gender: string }>(response).gender, gender);
    }
    assert.equal((await trailFor(api, EMPLOYEE))[0]?.changes[0]?.after, 'Two');
    await owner.query(sql`select publish_audit_changes(1000000)`);
    await updateProfile(api, 'GET', EMPLOYEE, { gender: 'Three' });
    assert.ok(dataOf<unknown[]>(await api.send({ url: '/api/events/list', as: EMPLOYEE })).length > 2);
    const companies = await api.send({
      url: COMPANIES_LIST,
      as: 'platform.rm@orgdesk.example',
      query: { search: 'ac' },
    });
    assert.ok(pageOf(companies).items.length > 0);
    const { id: companyId } = await companyNamed(owner, 'Acme');
    for (const url of Object.values(COMPANY_LISTS)) {
      const list = await api.send({ url, as: 'manager@acme.example', query: { companyId, search: 'a' } });
      assert.ok(pageOf(list).items.length > 0, url);
    }
    const following = { companyId, after: 'now' };
    const bookings = await api.send({ url: '/api/bookings/changes', as: 'manager@acme.example', query: following });
    assert.equal(bookings.statusCode, 200, bookings.body);
    const account = { issuer: 'https://id.example', claim: 'sub', subject: 'someone' };
    await linkIdentity(service, account, EMPLOYEE);
    await moveLink(service, { ...account, claim: 'oid', subject: 'someone-for-ever' }, 'someone');
    assert.equal((await owner.query(sql`select from user_identities`)).length, 1);
  });

  it('the service with the documented database role carries out every administrative write', async () => {
    const { id: companyId } = await companyNamed(owner, 'Acme');
    const ids = Object.fromEntries(['user', 'department', 'band', 'policy'].map((name) => [name, randomUUID()]));
    const [user, department, band] = [{ id: ids.user }, { id: ids.department }, { id: ids.band }];
    const [policy, levels] = [{ id: ids.policy }, [{ level: 1, roleRequired: 'MANAGER', minAmount: '1' }]];
    const limits = { autoApprovalLimit: '1.00' };
    const person = { firstName: 'A', lastName: 'B', email: 'new@acme.example' };
    const booking = { id: 'b', companyId, userId: ids.user, amount: '1.00' };
    const role = { userId: ids.user, companyId, role: 'MANAGER' };
    for (const [path, payload] of [
      ['departments/create', { ...department, companyId, name: 'A', costCode: 'A' }],
      ['bands/create', { ...band, companyId, name: 'A', code: 'A' }],
      ['approval-policies/create', { ...policy, companyId, name: 'A', scope: { priority: 7 }, levels }],
      ['companies/update', { id: companyId, defaultDepartmentId: ids.department, defaultBandId: ids.band }],
      ['users/create', { ...user, companyId, ...person }],
      ['users/update', { ...user, email: 'newer@acme.example', active: false }],
      [
        'users/save',
        {
          companyId,
          create: [{ ...person, email: 'other@acme.example' }],
          update: [{ ...user, lastName: 'C', active: true }],
        },
      ],
      ['users/grant-role', role],
      ['users/revoke-role', role],
      ['users/grant-role', { userId: ids.user, role: 'PLATFORM_RM' }],
      ['users/grant-role', { userId: ids.user, role: 'SUPER_ADMIN' }],
      ['users/revoke-role', { userId: ids.user, role: 'SUPER_ADMIN' }],
      ['bookings/record', { bookings: [booking] }],
      ['bookings/record', { bookings: [{ ...booking, amount: '2.00' }] }],
      ['companies/update', { id: companyId, defaultDepartmentId: null, defaultBandId: null }],
      ['departments/update', { ...department, budget: '5.00' }],
      ['bands/update', { ...band, ...limits }],
      ['approval-policies/update', { ...policy, ...limits, levels: [...levels, { ...levels[0], level: 2 }] }],
      ['approval-policies/delete', policy],
      ['companies/create', { ...newCompany(), firstAdmin: { ...person, email: 'first@acme.example' } }],
    ] as const) {
      const as = /^(?:companies|users|bookings)/.test(path) ? 'super.admin@orgdesk.example' : 'admin@acme.example';
      const response = await api.send({ method: 'POST', url: `/api/${path}`, payload, as });
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
    }
    const imported = await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: 'admin@acme.example',
      query: { companyId },
      headers: { 'content-type': 'text/csv' },
      payload: [
        'email,firstName,lastName,departmentId,bandId,loyaltyPoints,active,roles',
        `brought@acme.example,A,B,${ids.department},${ids.band},5,true,MANAGER`,
        `newer@acme.example,A,Brought,${ids.department},${ids.band},0,true,EMPLOYEE`,
      ].join('\n'),
    });
    assert.equal(imported.statusCode, 200, imported.body);
    assert.deepEqual(
      (({ added, changed }) => [added, changed])(dataOf<{ added: number; changed: number }>(imported)),
      [1, 1],
    );
  });

  for (const statement of [
    'create table mine (id integer)',
    'create schema mine',
    'drop table users',
    'alter table users add column mine text',
    'truncate bookings',
    'create index on users (gender)',
    'create function mine() returns integer language sql return 1',
    'create view mine as select 1',
    'comment on table users is null',
    'delete from companies',
    'update companies set id = id',
    'delete from users',
    'update users set company_id = id',
    'update departments set company_id = company_id',
    'update employee_bands set company_id = company_id',
    'update users set id = id',
    'update users set created_at = now()',
    'update approval_policies set company_id = company_id',
    'update api_keys set scopes = scopes',
    "update company_roles set role = 'MANAGER'",
    'update system_roles set user_id = user_id',
    'update user_identities set user_id = user_id',
    'delete from bookings',
    'delete from audit_changes',
    'truncate audit_changes',
    "update audit_changes set request_id = 'another'",
    'update audit_personal_values set field_values = null',
    'delete from audit_personal_values',
    'alter table audit_changes disable trigger user',
    'drop trigger audit_changes_kept on audit_changes',
    'alter function refuse_audit_change() rename to mine',
    'select erase_audit_values(gen_random_uuid())',
    'insert into company_counts (counted, company_id, change) select counted, company_id, 1 from company_counts',
    'update schema_version set version = 0',
    'update change_feed set id = gen_random_uuid()',
    'delete from change_feed',
    'set session_replication_role = replica',
    'copy users to program $$cat$$',
    "select pg_read_file('/etc/passwd')",
    'create role mine',
    'create database mine',
    `set role orgdesk_owner${roles.ending}`,
    `alter role orgdesk_owner${roles.ending} password 'mine'`,
  ]) {
    it(`the database refuses to the service's role: ${statement.replace(roles.ending, '')}`, async () => {
      await assert.rejects(service.query(sql`${raw(statement)}`), REFUSED);
    });
  }

  it("the owner's commands as the service's role are refused with the needed role", async () => {
    const needs = /refuses: permission denied .*The role that DATABASE_URL names has no right to this.*owner/;
    for (const work of [
      () => importFolder(service, DEMO),
      () => service.session((session) => session.query(sql`select erase_audit_values(gen_random_uuid())`)),
    ]) {
      const error = await work().then(() => undefined, explained);
      assert.match(error ?? 'It was allowed.', needs);
    }
  });

  it("migrate as the service's role on an older schema is refused with both versions", async () => {
    const [newest] = await owner.query<{ version: number }>(sql`
      delete from schema_version where version = (select max(version) from schema_version) returning version::integer`);
    const version = newest?.version ?? 0;
    const [present] = await owner.query<{ version: number }>(sql`
      select max(version)::integer as version from schema_version`);
    await assert.rejects(
      migrate(service),
      new RegExp(
        `has schema version ${present?.version}, this program needs version ${version}, .*may not change the schema`,
      ),
    );
  });
});

function allFields(): Record<string, string> {
  return {
    firstName: 'A',
    lastName: 'B',
    phone: '+353 1 555 0199',
    dateOfBirth: '1990-02-03',
    addressLine1: 'One',
    addressLine2: 'Two',
    pincode: '12345',
  };
}
