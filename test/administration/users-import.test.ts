import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import sql from 'sql-template-tag';
import type { UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { describeChange, openAdministration, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, get, post, add, addCompany, changesOf, withoutTrace } =
  administration;
after(() => administration[Symbol.asyncDispose]());

function send(csv: string | Buffer, query: object = {}, as: Person = admin): Promise<LightMyRequestResponse> {
  return api.send({
    method: 'POST',
    url: '/api/users/import',
    as: as.email,
    query: { companyId: home.id, changes: 'true', ...query },
    headers: { 'content-type': 'text/csv' },
    payload: csv,
  });
}
const bring = async (csv: string | Buffer, as?: Person) => dataOf<UsersImportView>(await send(csv, {}, as));
const check = async (csv: string | Buffer, as?: Person) =>
  dataOf<UsersImportView>(await send(csv, { dryRun: 'true' }, as));
const refusal = async (csv: string | Buffer, as?: Person) => {
  const response = await withoutTrace(() => send(csv, {}, as));
  const { code, data } = response.json<{ code: string; data: UsersImportView }>();
  assert.deepEqual([response.statusCode, code], [400, 'INVALID_INPUT']);
  return data;
};
const userWith = async (id: string) => userOf(await get(superAdmin, 'users/get', { id }));
const address = () => `${randomUUID()}@new.example`;
const lines = (...rows: string[]) => `${rows.join('\n')}\n`;

describe('users/import', () => {
  it('users/import adds and changes people of the company, and leaves others as they are', async () => {
    const [changed, same] = [await add(), await add()];
    const email = address();
    const csv = lines('email,firstName,lastName', `${email},Ana,Lee`, `${changed.email.toUpperCase()},Re,Named`);
    const preview = await withoutTrace(() => check(csv));
    assert.deepEqual([preview.added, preview.changed, preview.unchanged, preview.problems], [1, 1, 0, []]);
    const answer = await bring(csv);
    const added = answer.changes[0];
    assert.deepEqual({ ...preview.changes[0], id: added?.id }, added);
    assert.equal(preview.changes[0]?.id, null);
    assert.deepEqual(answer.changes[1], {
      line: 3,
      id: changed.id,
      email: changed.email.toUpperCase(),
      action: 'changed',
      fields: [
        { field: 'email', before: changed.email, after: changed.email.toUpperCase() },
        { field: 'firstName', before: (await userWith(same.id)).firstName, after: 'Re' },
        { field: 'lastName', before: (await userWith(same.id)).lastName, after: 'Named' },
      ],
    });
    const user = await userWith(added?.id ?? '');
    assert.deepEqual(
      [user.email, user.departmentId, user.bandId, user.roles, user.approvalLimit, user.clientType],
      [email, home.departmentId, home.bandId, ['EMPLOYEE'], '0.00', 'CORPORATE'],
    );
    assert.deepEqual(await withoutTrace(() => bring(csv)), {
      added: 0,
      changed: 0,
      unchanged: 2,
      problems: [],
      problemsTotal: 0,
      changes: [],
      changesNext: null,
    });
  });

  it('users/import returns every problem with its line and column, and the changes of all other lines', async () => {
    const [one, two] = [address(), address()];
    const csv = lines(
      'email,firstName,lastName,phone,department',
      `${one},Ana,Lee,12,GENERAL`,
      'none,,Lee,,Nowhere',
      `${two},Bo,Ray,+919876543210,general`,
      `${two.toUpperCase()},Bo,Ray,,General`,
      `${address()},Bo`,
    );
    const { problems, changes, leftOut, ...counts } = await withoutTrace(() => check(csv));
    assert.deepEqual(
      problems.map(({ line, column, value }) => [line, column, value]),
      [
        [3, 'email', 'none'],
        [3, 'firstName', ''],
        [3, 'department', 'Nowhere'],
        [5, 'email', two.toUpperCase()],
        [6, null, null],
      ],
    );
    assert.deepEqual(
      leftOut?.map(({ line, column, value }) => [line, column, value]),
      [[2, 'phone', '12']],
    );
    assert.deepEqual(counts, {
      added: 2,
      changed: 0,
      unchanged: 0,
      problemsTotal: 5,
      leftOutTotal: 1,
      changesNext: null,
    });
    assert.deepEqual(
      changes.map(({ line, email }) => [line, email]),
      [
        [2, one],
        [4, two],
      ],
    );
    const refused = await refusal(csv);
    assert.deepEqual(refused.problems, problems);
    assert.deepEqual([refused.added, refused.changes], [0, []]);
  });

  it('users/import leaves out unreadable values of optional columns, and returns them as leftOut', async () => {
    const [known, joiner] = [address(), address()];
    await bring(
      lines('email,firstName,lastName,phone,jobTitle,dateOfBirth', `${known},Old,Name,+919845000001,Clerk,1990-05-14`),
    );
    const long = 'x'.repeat(256);
    const csv = lines(
      'email,firstName,lastName,phone,jobTitle,costCenter,pincode,gender,dateOfBirth,startDate,addressLine1,clientType',
      `${known},New,Name,call me,${long},CC-1,-,${long},31.02.1990,soon,${long},Employee`,
      `${joiner},Ana,Lee,+49 (0)89/123456-0,"Head of\nTravel",${long},〒150-0001,,1990-05-14,2024-13-01,"1 Road\nFlat 2",`,
    );
    const { problems, leftOut = [], leftOutTotal, added, changed } = await bring(csv);
    assert.deepEqual([problems, added, changed, leftOutTotal], [[], 1, 1, 11]);
    assert.deepEqual(
      leftOut.map(({ line, column }) => `${line} ${column}`),
      [
        ...['phone', 'clientType', 'dateOfBirth', 'gender', 'addressLine1', 'pincode', 'jobTitle', 'startDate'].map(
          (column) => `2 ${column}`,
        ),
        '3 clientType',
        '3 costCenter',
        '3 startDate',
      ],
    );
    assert.match(leftOut[0]?.message ?? '', /^"call me" is not valid: expected /);
    const stored = async (email: string) => {
      const [row] = await api.db.query(sql`
        select first_name, phone, job_title, cost_center, date_of_birth::text as born, pincode, address_line_1, client_type
          from users where email = ${email}`);
      return Object.values(row ?? {});
    };
    assert.deepEqual(await stored(known), [
      'New',
      ...['+919845000001', 'Clerk', 'CC-1', '1990-05-14'],
      ...[null, null, 'CORPORATE'],
    ]);
    assert.deepEqual(await stored(joiner), [
      'Ana',
      ...['+49891234560', 'Head of Travel', null, '1990-05-14'],
      ...['150-0001', '1 Road Flat 2', 'CORPORATE'],
    ]);
    const number = await refusal(lines('email,firstName,lastName,employeeNumber', `${address()},A,B,${long}`));
    assert.deepEqual([number.problemsTotal, number.leftOut], [1, undefined]);
  });

  it('users/import gives and takes the roles that the file names, and keeps roles where it names none', async () => {
    const [promoted, kept] = [await add({ roles: [['EMPLOYEE', home]] }), await add({ roles: [['MANAGER', home]] })];
    const csv = lines('email,roles', `${promoted.email},"MANAGER, CORPORATE_ADMIN"`, `${kept.email},`);
    const changes = await changesOf(() => bring(csv));
    assert.deepEqual(
      changes.map((change) => [describeChange(change).what, change.actor.userId]),
      ['companyRole added', 'companyRole added', 'companyRole removed'].map((what) => [what, admin.id]),
    );
    assert.equal(new Set(changes.map(({ requestId }) => requestId)).size, 1);
    assert.deepEqual((await userWith(promoted.id)).roles, ['CORPORATE_ADMIN', 'MANAGER']);
    assert.deepEqual((await userWith(kept.id)).roles, ['MANAGER']);
    const { changes: again } = await check(lines('email,roles', `${promoted.email},EMPLOYEE MANAGER`));
    assert.deepEqual(again[0]?.fields, [
      { field: 'roles', before: ['CORPORATE_ADMIN', 'MANAGER'], after: ['EMPLOYEE', 'MANAGER'] },
    ]);
    for (const roles of ['SUPER_ADMIN', 'MANAGER MANAGER', 'Manager']) {
      const { problems } = await refusal(lines('email,roles', `${kept.email},${roles}`));
      assert.deepEqual(
        problems.map(({ line, column }) => [line, column]),
        [[2, 'roles']],
      );
    }
  });

  it('users/import returns 403 to everybody but administrators, and nothing about people elsewhere', async () => {
    const manager = await add({ roles: [['MANAGER', home]] });
    assertRefused(await send('email\n', {}, manager), 403, 'ROLE_REQUIRED');
    assertRefused(await send('email\n', {}, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await send('email\n', { companyId: randomUUID() }, superAdmin), 403, 'COMPANY_FORBIDDEN');
    assertInvalid(await send('email\n', { companyId: 'x' }), 'companyId');
    const json = { method: 'POST', url: '/api/users/import', as: admin.email, query: { companyId: home.id } } as const;
    assertRefused(await api.send({ ...json, payload: {} }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    const csv = lines('id,email', `${foreignAdmin.id},`, `,${foreignAdmin.email}`);
    const changes = await changesOf(() => send(csv));
    assert.deepEqual(
      changes.map(({ action, entityId }) => [action, entityId]),
      [['refused', home.id]],
    );
  });

  it('users/import applies the rules about people, and returns the line of each violation', async () => {
    const guest = await add({ roles: [['EMPLOYEE', other]] });
    const { problems } = await refusal(
      lines('id,email,approvalLimit', `${admin.id},${admin.email},999`, `${guest.id},${address()},5`),
    );
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [
        [2, 'approvalLimit'],
        [3, 'email'],
      ],
    );
  });

  it('users/import refuses to remove the last Corporate Admin unless another row adds one', async () => {
    const company = await addCompany();
    const [one, two] = [
      await add({ company, roles: [['CORPORATE_ADMIN', company]] }),
      await add({ company, roles: [['EMPLOYEE', company]] }),
    ];
    const query = { companyId: company.id };
    const leaving = lines('email,active,roles', `${one.email},true,EMPLOYEE`);
    const refused = await withoutTrace(() => send(leaving, query, one));
    const { problems } = refused.json<{ data: UsersImportView }>().data;
    assert.equal(refused.statusCode, 400);
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [[2, 'roles']],
    );
    const preview = await withoutTrace(() => send(leaving, { ...query, dryRun: 'true' }, one));
    assert.deepEqual(dataOf<UsersImportView>(preview).problems, problems);
    const handed = lines('email,active,roles', `${one.email},false,`, `${two.email},,CORPORATE_ADMIN`);
    assert.equal(dataOf<UsersImportView>(await send(handed, query, one)).changed, 2);
    assert.deepEqual((await userWith(two.id)).roles, ['CORPORATE_ADMIN', 'EMPLOYEE'].slice(0, 1));
    assert.equal((await userWith(one.id)).active, false);
  });

  it('users/import accepts addresses that two people swap, and ids in the file', async () => {
    const [one, two, id] = [await add(), await add(), randomUUID()];
    const csv = lines(
      'id,email,firstName,lastName',
      `${one.id},${two.email},A,B`,
      `${two.id.toUpperCase()},${one.email},A,B`,
      `${id},${address()},New,One`,
    );
    const { added, changed, changes } = await bring(csv);
    assert.deepEqual([added, changed, changes[2]?.id], [1, 2, id]);
    assert.equal((await userWith(one.id)).email, two.email);
  });

  it('users/import finds a department and a band by code before name', async () => {
    const make = async (path: string, fields: object) =>
      dataOf<{ id: string }>(await post(admin, path, { companyId: home.id, ...fields }));
    const department = await make('departments/create', { name: 'Travel desk', costCode: 'OPS' });
    await make('departments/create', { name: 'Ops', costCode: 'OPS-2' });
    const band = await make('bands/create', { name: 'Senior', code: 'S1' });
    await make('bands/create', { name: 'S1', code: 'S2' });
    const csv = lines('email,firstName,lastName,department,band', `${address()},Ana,Lee,ops,s1`);
    const { problems, changes } = await bring(csv);
    assert.deepEqual(problems, []);
    const { departmentId, bandId } = await userWith(changes[0]?.id ?? '');
    assert.deepEqual([departmentId, bandId], [department.id, band.id]);
    await make('departments/create', { name: 'ops', costCode: 'OPS-3' });
    const byName = await refusal(lines('email,department', `${admin.email},Ops desk`, `${admin.email},Travel desk`));
    assert.equal(byName.problems.length, 2);
  });

  it('users/import finds people by employee number before address', async () => {
    const [before, after, number] = [address(), address(), `E-${randomUUID()}`];
    const { changes } = await bring(lines('email,firstName,lastName,employeeNumber', `${before},Ana,Lee,${number}`));
    const id = changes[0]?.id ?? '';
    const renamed = await bring(
      lines('email,firstName,lastName,employeeNumber', `${after},Ana,Married,${number.toLowerCase()}`),
    );
    assert.deepEqual([renamed.added, renamed.changed, renamed.changes[0]?.id], [0, 1, id]);
    assert.equal((await userWith(id)).email, after);
    assert.equal((await bring(lines('employeeNumber,lastName', `${number},Alone`))).changed, 1);
    assert.equal((await userWith(id)).lastName, 'Alone');
    const other = await refusal(lines('email,employeeNumber', `${after},E-other`));
    assert.deepEqual(
      other.problems.map(({ line, column }) => [line, column]),
      [[2, 'employeeNumber']],
    );
    const unknown = await refusal(lines('employeeNumber,lastName', `${randomUUID()},Nobody`));
    assert.match(unknown.problems[0]?.message ?? '', /there is no such user yet, and a new one needs email/);
  });

  it('users/import refuses more than 50,000 rows, and a body of more than 10 MiB', async () => {
    const { problems, ...rest } = await check(`email\n${'a@new.example\n'.repeat(50_001)}`);
    assert.deepEqual(rest, { added: 0, changed: 0, unchanged: 0, problemsTotal: 1, changes: [], changesNext: null });
    assert.deepEqual([problems.length, problems[0]?.line], [1, null]);
    assertRefused(await send(Buffer.alloc(10 * 1024 * 1024 + 1, 'a')), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('users/import lists 100 problems and counts all, and lists changes by page on request', async () => {
    const many = Array.from({ length: 250 }, (_, index) => `x${index},Ana,Lee`);
    const { problems, problemsTotal } = await refusal(lines('email,firstName,lastName', ...many));
    assert.deepEqual([problems.length, problemsTotal], [100, 250]);
    const header = Array.from({ length: 1000 }, (_, index) => `c${index}`).join(',');
    const wide = await send(`${header}\n`, { dryRun: 'true' });
    assert.ok(wide.body.length < 4 * header.length, `${wide.body.length} bytes for ${header.length}`);
    const people = Array.from({ length: 5 }, () => `${address()},Ana,Lee`);
    const csv = lines('email,firstName,lastName', ...people);
    const page = async (query: object) =>
      dataOf<UsersImportView>(await send(csv, { dryRun: 'true', changes: 'true', limit: '2', ...query }));
    const linesOf = ({ changes, changesNext }: UsersImportView) => [changes.map(({ line }) => line), changesNext];
    assert.deepEqual(linesOf(await page({})), [[2, 3], 3]);
    assert.deepEqual(linesOf(await page({ after: '3' })), [[4, 5], 5]);
    assert.deepEqual(linesOf(await page({ after: '5' })), [[6], null]);
    assert.deepEqual(linesOf(await page({ changes: 'false' })), [[], null]);
    assert.equal((await page({ changes: 'false' })).added, 5);
    const written = dataOf<UsersImportView>(await send(csv, { changes: 'true', limit: '2', after: '2' }));
    assert.deepEqual(
      [written.added, written.changes.map(({ email }) => email)],
      [5, people.slice(1, 3).map((row) => row.split(',')[0])],
    );
  });

  it('one of two simultaneous users/import requests of a company returns 503', async () => {
    const headers = { authorization: `Bearer ${await api.tokenFor(admin.email)}`, 'content-type': 'text/csv' };
    const payload = lines('email,firstName,lastName', `${address()},Ana,Lee`);
    const request = {
      method: 'POST',
      url: '/api/users/import',
      query: { companyId: home.id },
      headers,
      payload,
    } as const;
    const answers = await Promise.all([api.app.inject(request), api.app.inject(request)]);
    const [done, busy] = answers.sort((left, right) => left.statusCode - right.statusCode);
    assert.equal(done?.statusCode, 200);
    assert.deepEqual([busy?.statusCode, busy?.headers['retry-after'], busy?.json().code], [503, '5', 'OVERLOADED']);
    assert.equal((await api.app.inject(request)).json().data.unchanged, 1);
  });

  it('users/import writes loyalty points, also of new people', async () => {
    const { id, email } = await add();
    const { loyaltyPoints, firstName, lastName } = await userWith(id);
    const csv = (points: number) =>
      lines(
        'email,firstName,lastName,loyaltyPoints',
        `${email},${firstName},${lastName},${points}`,
        `${address()},New,One,7`,
      );
    const { added, changed, changes } = await bring(csv(loyaltyPoints + 1));
    assert.deepEqual([added, changed], [1, 1]);
    const points = await Promise.all(changes.map(async (one) => (await userWith(one.id ?? '')).loyaltyPoints));
    assert.deepEqual(points, [loyaltyPoints + 1, 7]);
    assert.equal((await userWith(id)).loyaltyPoints, loyaltyPoints + 1);
  });
});
