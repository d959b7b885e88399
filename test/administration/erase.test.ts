import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { eraseCommand } from '../../src/commands/people-commands.ts';
import { UserError } from '../../src/lib/errors.ts';
import { trailFor } from '../audit/trail.ts';
import { newUser, openDirectory } from '../scim/directory.ts';
import { assertRefused } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addThings } from '../support/company-things.ts';
import { addCompany, addPerson, userRow } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const superAdmin = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

/** What `orgdesk erase` prints. */
async function erase(person: string): Promise<string> {
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), progress: () => undefined };
  await eraseCommand.act(api.context, [person], { ...output, flushed: async () => undefined }, {});
  return printed.join('\n');
}

const refused = (words: RegExp) => (error: unknown) => error instanceof UserError && words.test(error.message);

/** The tables that have a text somewhere in a row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(sql`select from ${raw(name)} t where t::text ilike ${`%${text}%`} limit 1`);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

async function countsOf(companyId: string) {
  const [counts] = await db.query<{ users: number; bookings: number }>(sql`
    select (select sum(change)::integer from company_counts where counted = 'users' and company_id = ${companyId}) as users,
           (select count(*)::integer from bookings where company_id = ${companyId}) as bookings`);
  return counts;
}

/** Somebody with the same rare word in all that is personal, at a directory and at an identity provider too. */
async function personNamed(word: string) {
  const directory = await openDirectory(api, `Company ${Math.random()}`);
  const { body } = await directory.send(
    'POST',
    '/Users',
    newUser({
      userName: `${word}@joiner.example`,
      externalId: `${word}-at-the-directory`,
      name: { givenName: `${word}-given`, familyName: `${word}-family` },
      emails: [{ primary: true, value: `${word}@work.example`, type: 'work' }],
    }),
  );
  const person = { id: String(body.id), email: `${word}@joiner.example` };
  const profile = { firstName: `${word}-first`, gender: word, addressLine1: `${word} Road`, addressLine2: word };
  const update = { ...profile, phone: '+353 1 555 0123', dateOfBirth: '1970-02-03', pincode: '560099' };
  assert.equal((await updateProfile(api, 'POST', person.email, update)).statusCode, 200);
  await db.query(
    sql`insert into user_identities (issuer, subject, user_id) values ('https://id.example', ${`${word}-sub`}, ${person.id})`,
  );
  await db.query(sql`
    insert into bookings (id, company_id, user_id, amount)
    values (${`booking of ${person.id}`}, ${directory.company.id}, ${person.id}, 12.50)`);
  return { person, directory };
}

describe('orgdesk erase', () => {
  it('orgdesk erase removes personal values from every table, and keeps bookings, counts and the trail', async () => {
    const { person, directory } = await personNamed('quizzaciously');
    const { company } = directory;
    assert.deepEqual(await tablesWith('quizzaciously'), [
      'audit_personal_values',
      'company_roles',
      'directory_people',
      'scim_users',
      'user_identities',
      'users',
    ]);
    const token = await api.tokenFor(person.email);
    const counts = await countsOf(company.id);
    const lines = (await trailFor(api, superAdmin.email, { userId: person.id })).length;

    assert.match(
      await erase('QUIZZACIOUSLY@joiner.example'),
      new RegExp(`^The user ${person.id} was erased; .* of \\d+ changes`),
    );

    assert.deepEqual(await tablesWith('quizzaciously'), []);
    for (const value of ['555 0123', '1970-02-03', '560099']) assert.deepEqual(await tablesWith(value), []);
    const row = await userRow(db, person.id);
    assert.deepEqual(
      [
        row.first_name,
        row.last_name,
        row.email,
        row.active,
        row.phone,
        row.date_of_birth,
        row.gender,
        row.address_line_1,
        row.pincode,
      ],
      ['Erased', 'Person', `${person.id}@erased.invalid`, false, null, null, null, null, null],
    );
    assert.deepEqual(await countsOf(company.id), counts);
    assert.equal(counts?.bookings, 1);

    const [erasure, blanked, ...rest] = await trailFor(api, superAdmin.email, { userId: person.id });
    assert.deepEqual([erasure?.action, erasure?.actor.kind, erasure?.companyId], ['erased', 'command', company.id]);
    assert.equal(blanked?.action, 'changed');
    // A line for each role as well.
    assert.equal(rest.length, lines + 1);
    const texts = JSON.stringify([erasure, blanked, ...rest]);
    assert.doesNotMatch(texts, /quizzaciously|1970-02-03/i);

    const view = { url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } };
    assertRefused(await api.app.inject(view), 401, 'INVALID_TOKEN');
    assert.equal((await directory.send('GET', `/Users/${person.id}`)).status, 404);
    const again = newUser({ userName: person.email, externalId: 'quizzaciously-at-the-directory' });
    assert.equal((await directory.send('POST', '/Users', again)).status, 201);
  });

  it('orgdesk erase changes nothing when it is repeated, and leaves no trace', async () => {
    const person = await addPerson(db);
    await erase(person.id.toUpperCase());
    const [row, trail] = [await userRow(db, person.id), await trailFor(api, superAdmin.email, { userId: person.id })];
    assert.equal(
      await erase(person.id),
      `The user ${person.id} had been erased before; personal values of 0 changes of the audit trail were erased.`,
    );
    assert.deepEqual(await userRow(db, person.id), row);
    assert.deepEqual(await trailFor(api, superAdmin.email, { userId: person.id }), trail);
    await assert.rejects(erase(person.email), refused(/There is no user with the e-mail address/));
  });

  it('orgdesk erase removes personal values in the trail of a person who no longer exists', async () => {
    const [person, id] = [await addPerson(db), '0b3c7a52-6b7e-4f80-8d21-3e4f5a6b7c8d'];
    await db.query(sql`
      with added as (
        insert into audit_changes (actor_kind, action, entity, entity_id, user_id, fields)
        values ('command', 'removed', 'user', ${id}, ${id}::uuid, '{gender}') returning id)
      insert into audit_personal_values select id, '{"gender": ["a", null]}' from added`);
    assert.match(await erase(id), /is not there any more; personal values of 1 changes/);
    assert.equal((await userRow(db, person.id)).active, true);
  });

  it('orgdesk erase refuses the last Super Admin and the last Corporate Admin, and says what to do first', async () => {
    await db.query(sql`update system_roles set active = false where user_id <> ${superAdmin.id}`);
    await assert.rejects(
      erase(superAdmin.id),
      refused(/^Nobody was erased\. .*last active Super Admin: give somebody else the role/),
    );
    const company = await addCompany(db, 'With one admin');
    const admin = await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] });
    await assert.rejects(erase(admin.email), refused(/last active Corporate Admin of the company: give somebody else/));
    assert.equal((await userRow(db, admin.id)).email, admin.email);
    await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] });
    assert.match(await erase(admin.email), /was erased/);
    const roles = await db.query(sql`select from company_roles where user_id = ${admin.id}`);
    assert.equal(roles.length, 0);
  });
});

describe('a person who was erased', () => {
  it('writes about an erased person are refused except by the operator, and old tokens stay invalid', async () => {
    const company = await addCompany(db, 'Erased for ever');
    const admin = await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const person = await addPerson(db, { company, roles: [['EMPLOYEE', company]] });
    const token = await api.tokenFor(person.email);
    await erase(person.id);
    const before = await userRow(db, person.id);
    const send = (url: string, payload: object | string, type = 'application/json') =>
      api.send({
        method: 'POST',
        url: `/api/users/${url}`,
        payload,
        as: admin.email,
        headers: { 'content-type': type },
      });
    assertRefused(await send('update', { id: person.id, active: true }), 409, 'ERASED');
    assertRefused(await send('update', { id: person.id, firstName: 'Back' }), 409, 'ERASED');
    assertRefused(
      await send('save', { companyId: company.id, update: [{ id: person.id, active: true }] }),
      409,
      'ERASED',
      ['update[0]'],
    );
    const role = { userId: person.id, role: 'CORPORATE_ADMIN', companyId: company.id };
    assertRefused(await send('grant-role', role), 409, 'ERASED');
    assertRefused(await send('revoke-role', role), 409, 'ERASED');
    const csv = `id,email,active\n${person.id},back@test.example,true\n`;
    const imported = await send(`import?companyId=${company.id}`, csv, 'text/csv');
    assert.equal(imported.statusCode, 400);
    assert.match(imported.body, /erased/);
    assert.deepEqual(await userRow(db, person.id), before);
    const profile = await api.app.inject({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });
    assertRefused(profile, 401, 'INVALID_TOKEN');
  });

  it('nobody gets the address of an erased person, nor names one in a field, group, policy or file', async () => {
    const directory = await openDirectory(api, 'Erased addresses');
    const { company } = directory;
    const [admin, other, gone] = [
      await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] }),
      await addPerson(db, { company }),
      await addPerson(db, { company }),
    ];
    await erase(gone.id);
    const before = await userRow(db, gone.id);
    const email = `${gone.id}@erased.invalid`;
    const [companyId, names] = [company.id, { firstName: 'Zoe', lastName: 'Xu' }];
    const post = (path: string, payload: object | string, type = 'application/json') =>
      api.send({ method: 'POST', url: `/api/${path}`, payload, as: admin.email, headers: { 'content-type': type } });
    const field = { companyId, entity: 'user', key: 'buddy', label: 'Buddy', type: 'PERSON' };
    assert.equal((await post('fields/create', field)).statusCode, 200);
    const policy = { companyId, name: 'Named', autoApprovalLimit: '1.00' };
    const level = { level: 1, minAmount: '2.00', approver: { userIds: [gone.id] } };
    for (const [path, body] of [
      ['users/create', { companyId, email, ...names }],
      ['users/create', { companyId, email: email.toUpperCase(), ...names, newcomer: true }],
      ['users/update', { id: other.id, fields: { buddy: gone.id } }],
      ['groups/create', { companyId, name: 'Approvers', userIds: [gone.id] }],
      ['approval-policies/create', { ...policy, levels: [level] }],
      ['approval-policies/create', { ...policy, levels: [], scope: { userIds: [gone.id] } }],
    ] as const) {
      assertRefused(await post(path, body), 409, 'ERASED');
    }
    assert.equal((await directory.send('POST', '/Users', newUser({ userName: email, emails: [] }))).status, 409);
    for (const [column, value] of [
      ['managerEmail', email],
      ['managerId', gone.id],
      ['fields.buddy', gone.id],
    ]) {
      const csv = `email,firstName,lastName,${column}\nzoe@test.example,Zoe,Xu,${value}\n`;
      assert.equal((await post(`users/import?companyId=${companyId}`, csv, 'text/csv')).statusCode, 400, column);
    }
    assert.deepEqual(await userRow(db, gone.id), before);
  });

  it('orgdesk erase removes the answers of webhook receivers about the person', async () => {
    const company = await addCompany(db, 'Echo');
    const { webhookId } = await addThings(db, company);
    const [person, other] = [await addPerson(db, { company }), await addPerson(db, { company })];
    for (const { id, email } of [person, other]) {
      await updateProfile(api, 'POST', email, { firstName: 'Echoed' });
      await db.query(sql`
        insert into webhook_deliveries (webhook_id, at, change_id, type, attempt, status, milliseconds, response)
        select ${webhookId}::uuid, now(), id::text, 'user.changed', 1, 400, 1, ${`Echoed ${email}`}
          from audit_changes where user_id = ${id}::uuid`);
    }
    await erase(person.id);
    const kept = await db.query<{ response: string | null }>(sql`
      select response from webhook_deliveries where webhook_id = ${webhookId} order by id`);
    assert.deepEqual(
      kept.map(({ response }) => response),
      [null, `Echoed ${other.email}`],
    );
  });
});
