import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { after, describe, it, type TestContext } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import type { Operation } from '../../src/api/operation.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import type { Transaction } from '../../src/db/database.ts';
import type { Scope } from '../../src/entities/api-key.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { deferred } from '../../src/lib/deferred.ts';
import { PATCH_OP } from '../scim/directory.ts';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addThings, newCompany, requestsFor } from '../support/company-things.ts';
import { addCompany, addPerson, type Person } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { roleGroupId } from '../support/role-group-id.ts';
import { insertRow } from '../support/rows.ts';
import { openDemoDatabase, testDatabaseKind } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const { db, statements } = recordStatements(await openDemoDatabase());
const api = await buildTestApp({ WEBHOOK_PRIVATE_TARGETS: 'true' }, async () => db);
after(() => api[Symbol.asyncDispose]());
const port = await listenLocally(api.app);

const home = await addCompany(db, 'Home', {});
await db.query(sql`
  update companies set default_department_id = ${home.departmentId}, default_band_id = ${home.bandId} where id = ${home.id}`);
const things = await addThings(db, home);
const requests = requestsFor(home, things);
// So that nobody of the table is the last one.
const colleague = await addPerson(db, { company: home, roles: [['CORPORATE_ADMIN', home]] });
/** A role that nobody holds. */
const spare = { id: randomUUID(), company_id: home.id, key: 'SPARE', name: 'Spare', active: true };
await insertRow(db, 'own_roles', spare);

/** A request that carries an operation out, by whoever may. */
interface Attempt {
  name: string;
  method: string;
  path: string;
  type: string;
  body: string;
  /** Who may: a person by a role, a key of the company by a scope, or one of the platform. */
  by: 'CORPORATE_ADMIN' | 'SUPER_ADMIN' | 'nobody' | Scope | `platform ${Scope}`;
}

const BODIES: Readonly<Record<string, object>> = {
  'users.setSubstitute': { userId: things.userId, substituteId: colleague.id, from: '2099-01-01', until: '2099-01-31' },
  'scim.users.create': { userName: 'joiner@test.example', name: { givenName: 'New', familyName: 'Joiner' } },
  'scim.users.replace': { userName: `${things.userId}@test.example`, name: { givenName: 'A', familyName: 'B' } },
  'scim.users.patch': { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'active', value: false }] },
  'roles.delete': { id: spare.id },
  'scim.users.delete': {},
  'scim.groups.create': { displayName: 'Late' },
  'scim.groups.delete': {},
  'scim.groups.replace': { displayName: 'Managers', members: [{ value: things.userId }] },
  'scim.groups.patch': {
    schemas: [PATCH_OP],
    Operations: [{ op: 'add', path: 'members', value: [{ value: things.userId }] }],
  },
};

/** A group of the directory that calls. */
const GROUP_ID = randomUUID();

function attemptsOf({ id, access, scope, methods, path, takesCsv }: Operation<never>): Attempt[] {
  const [method = 'POST'] = methods;
  const sent = BODIES[id] ?? requests[id] ?? (id === 'companies.create' ? newCompany() : { firstName: 'Late' });
  const group = id === 'scim.groups.delete' ? GROUP_ID : roleGroupId(home.id, 'MANAGER');
  const target = id.startsWith('scim.groups') ? group : things.userId;
  const query = takesCsv ? `?companyId=${home.id}` : '';
  const common = {
    name: id,
    method,
    path: `${path.replace(':id', target)}${query}`,
    type: takesCsv ? 'text/csv' : 'application/json',
    body: takesCsv
      ? 'email,firstName,lastName,roles\nsecond@test.example,Se,Cond,CORPORATE_ADMIN\n'
      : JSON.stringify(sent),
  };
  if (access.name === 'public') return [];
  const role = access.roles?.includes('CORPORATE_ADMIN') ? 'CORPORATE_ADMIN' : 'SUPER_ADMIN';
  const ofAll = id === 'profile.update' ? 'nobody' : 'CORPORATE_ADMIN';
  const byPerson: Attempt[] =
    access.roles === undefined ? [{ ...common, by: ofAll }] : access.roles.length > 0 ? [{ ...common, by: role }] : [];
  if (scope === undefined || scope === 'any') return byPerson;
  const another = id === 'companies.create' ? { body: JSON.stringify(newCompany()) } : {};
  const byKeys: Attempt[] = [
    // A key of a company creates none.
    ...(id === 'companies.create' ? [] : [{ ...common, by: scope }]),
    // A directory has a company.
    ...(scope === 'scim' ? [] : [{ ...common, ...another, by: `platform ${scope}` as const }]),
  ];
  return [...byPerson, ...byKeys];
}

/** Every operation that changes anything, by every kind of caller: a new one is tried without having been named here. */
const ATTEMPTS = OPERATIONS.filter(({ writes }) => writes).flatMap(attemptsOf);

const ASK_OUTSIDE = ['webhooks.test', 'webhooks.resend', 'signInConnections.test'];

interface Called {
  token: string;
  /** What takes the right away, by name. */
  losses: Readonly<Record<string, readonly Sql[]>>;
}

const closing = { 'the company is closed': [sql`update companies set active = false where id = ${home.id}`] };
const reopen = () => db.query(sql`update companies set active = true where id = ${home.id}`);

async function callerFor({ name, by }: Attempt): Promise<Called> {
  if (by !== 'nobody' && by !== 'SUPER_ADMIN' && by !== 'CORPORATE_ADMIN') {
    await db.query(sql`update api_keys set revoked_at = now() where name = 'Held' and revoked_at is null`);
    const isOfPlatform = by.startsWith('platform ');
    const scope = by.replace('platform ', '') as Scope;
    const scopes: Scope[] = scope === 'webhooks.manage' ? [scope, 'events.read'] : [scope];
    const key = { name: 'Held', scopes, companyId: isOfPlatform ? null : home.id, expiresAt: null };
    const made = await db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, key));
    await db.query(sql`
      insert into directory_groups (id, company_id, api_key_id, display_name)
      values (${GROUP_ID}::uuid, ${home.id}::uuid, ${made.id}::uuid, 'Held')
          on conflict (id) do update set api_key_id = excluded.api_key_id`);
    const revoked = [sql`update api_keys set revoked_at = now() where id = ${made.id}`];
    const isInCompany = name !== 'companies.create';
    return { token: made.key, losses: { 'the key is revoked': revoked, ...(isInCompany ? closing : {}) } };
  }
  const person = await addPerson(db, {
    company: home,
    ...(by === 'CORPORATE_ADMIN' ? { roles: [[by, home]] } : {}),
    ...(by === 'SUPER_ADMIN' ? { systemRole: { role: by, active: true } } : {}),
  });
  const token = await api.context.signToken(person.id, 600);
  const deactivated = [sql`update users set active = false where id = ${person.id}`];
  const revoked = [
    sql`delete from company_roles where user_id = ${person.id}`,
    sql`delete from system_roles where user_id = ${person.id}`,
  ];
  return {
    token,
    losses: {
      'the caller is deactivated': deactivated,
      ...(by === 'nobody' ? {} : { 'the role is revoked': revoked }),
      ...(by === 'CORPORATE_ADMIN' ? closing : {}),
    },
  };
}

function openRequest({ method, path, type, body }: Attempt, token: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': type,
    ...(method === 'DELETE' ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
  return http.request({ host: '127.0.0.1', port, method, path, headers });
}

async function statusOf(request: http.ClientRequest): Promise<string> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return `${response.statusCode} ${text.slice(0, 200)}`;
}

/** Everything that the attempts could have changed. */
async function content(): Promise<unknown> {
  return db.query(sql`
    select (select max(id) from audit_changes)::text as changes, (select count(*) from webhook_secrets)::text as secrets,
           (select count(*) from webhook_deliveries)::text as deliveries, (select count(*) from bookings)::text as bookings`);
}

async function lose(losses: readonly Sql[]): Promise<void> {
  for (const loss of losses) await db.query(loss);
}

/** Returns whether a transaction waits for a lock. */
async function isAnybodyWaiting(): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>(sql`
    select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`);
  return row?.waits === true;
}

/** Runs an attempt for each way of losing the right, each by a new caller, and expects a refusal that changes nothing. */
async function assertAllRefused(
  attempt: Attempt,
  send: (token: string, lost: readonly Sql[]) => Promise<string>,
): Promise<number> {
  const names = Object.keys((await callerFor(attempt)).losses);
  for (const name of names) {
    const { token, losses } = await callerFor(attempt);
    const before = await content();
    const status = await send(token, losses[name] ?? assert.fail());
    await reopen();
    // A booking of a closed company is refused by its field.
    const refused =
      attempt.name === 'bookings.record' && attempt.by === 'platform bookings.write'
        ? /^(?:400|401) /
        : /^(?:401|403|404) /;
    assert.match(status, refused, `${attempt.name} by ${attempt.by}, ${name}`);
    assert.deepEqual(await content(), before, `${attempt.name} by ${attempt.by}, ${name}`);
  }
  return names.length;
}

/** A test of what happens at once: the embedded database does one thing at a time. */
const onServer = (title: string, run: (t: TestContext) => Promise<void>) =>
  testDatabaseKind() === 'postgres' ? it(title, run) : undefined;

describe('a right that is taken away before the commit', () => {
  let tried = 0;

  it('a caller who loses a right between the headers and the body of a request is refused', async () => {
    for (const attempt of ATTEMPTS.filter(({ method }) => method !== 'DELETE')) {
      tried += await assertAllRefused(attempt, async (token, lost) => {
        const request = openRequest(attempt, token);
        const status = statusOf(request);
        statements.length = 0;
        request.write(attempt.body.slice(0, 1));
        await waitUntil('the look-up of the caller', () =>
          statements.some(({ text }) => text.includes('"companyRoles"') || text.includes('"keyId"')),
        );
        await lose(lost);
        request.end(attempt.body.slice(1));
        return status;
      });
    }
  });

  it('a caller who loses a right after the transaction began is refused', async (t) => {
    const { transaction, session } = db;
    for (const attempt of ATTEMPTS) {
      // An update of the own profile is one statement, under a condition of its own; who asks somebody outside holds no transaction.
      if (attempt.by === 'nobody' || ASK_OUTSIDE.includes(attempt.name)) continue;
      tried += await assertAllRefused(attempt, async (token, lost) => {
        let isLost = false;
        const loseOnce = async () => {
          if (!isLost) await lose(lost);
          isLost = true;
        };
        const spies = [
          t.mock.method(db, 'transaction', async (work: Parameters<typeof transaction>[0]) => {
            await loseOnce();
            return transaction(work);
          }),
          t.mock.method(db, 'session', async (work: Parameters<typeof session>[0]) => {
            await loseOnce();
            return session(work);
          }),
        ];
        const request = openRequest(attempt, token);
        request.end(attempt.method === 'DELETE' ? undefined : attempt.body);
        const status = await statusOf(request);
        for (const spy of spies) spy.mock.restore();
        assert.ok(isLost, `${attempt.name} begins no transaction`);
        return status;
      });
    }
  });

  onServer('is gone for a key of the platform whose company is closed just before the commit', async (t) => {
    const { transaction, session } = db;
    const outcomes = { closed: 0, waited: 0 };
    for (const attempt of ATTEMPTS) {
      // Companies have none.
      const isLeftOut = attempt.name.startsWith('companies.') || ASK_OUTSIDE.includes(attempt.name);
      if (!attempt.by.startsWith('platform ') || isLeftOut) continue;
      let outcome: keyof typeof outcomes | undefined;
      let closing: Promise<unknown> = Promise.resolve();
      const close = async () => {
        let isClosed = false;
        closing = transaction(async (closer) => {
          await closer.query(sql`select from companies where id = ${home.id} for update`);
          await closer.query(sql`update companies set active = false where id = ${home.id}`);
        }).then(() => {
          isClosed = true;
        });
        await waitUntil('the company to be closed, or to be held', async () => isClosed || (await isAnybodyWaiting()));
        outcome = isClosed ? 'closed' : 'waited';
        outcomes[outcome]++;
      };
      const closedAtTheEnd = <Given extends Transaction>(given: Given): Given => ({
        ...given,
        async query(statement: Sql) {
          if (statement.text.includes('"isComplete"') && outcome === undefined) await close();
          return given.query(statement);
        },
      });
      const spies = [
        t.mock.method(db, 'transaction', (work: Parameters<typeof transaction>[0]) =>
          transaction((given) => work(closedAtTheEnd(given))),
        ),
        t.mock.method(db, 'session', (work: Parameters<typeof session>[0]) =>
          session((given) =>
            work({ ...given, transaction: (inner) => given.transaction((one) => inner(closedAtTheEnd(one))) }),
          ),
        ),
      ];
      const { token } = await callerFor(attempt);
      const before = await content();
      const request = openRequest(attempt, token);
      request.end(attempt.method === 'DELETE' ? undefined : attempt.body);
      const status = await statusOf(request);
      for (const spy of spies) spy.mock.restore();
      await closing;
      await reopen();
      // Whoever closes the company after a write waits for it; a create of what is there already writes nothing.
      if (outcome === 'closed') assert.deepEqual(await content(), before, `${attempt.name}: ${status}`);
      else assert.match(status, /^2\d\d /, attempt.name);
    }
    assert.ok(outcomes.closed > 0, JSON.stringify(outcomes));
  });

  it('the tests of lost rights make more than 150 attempts', () => assert.ok(tried > 150, String(tried)));

  it('a caller who keeps the right is not refused', async () => {
    for (const attempt of ATTEMPTS.toSorted((one, other) => rank(one) - rank(other))) {
      // A person has deleted it already.
      if (attempt.name.endsWith('.delete') && attempt.by.includes('.')) continue;
      const { token } = await callerFor(attempt);
      const request = openRequest(attempt, token);
      request.end(attempt.method === 'DELETE' ? undefined : attempt.body);
      assert.match(await statusOf(request), /^2\d\d /, `${attempt.name} by ${attempt.by}`);
    }
  });
});

/** What removes things comes last. */
function rank({ name }: Attempt): number {
  return /delete|revoke$/i.test(name) ? 1 : 0;
}

describe('simultaneous requests', () => {
  async function admin(): Promise<Person & { token: string }> {
    const person = await addPerson(db, { company: home, roles: [['CORPORATE_ADMIN', home]] });
    return { ...person, token: await api.context.signToken(person.id, 600) };
  }
  const post = (token: string, path: string, payload: object) =>
    api.app.inject({ method: 'POST', url: `/api/${path}`, headers: { authorization: `Bearer ${token}` }, payload });
  const revoke = (by: { token: string }, of: { id: string }) =>
    post(by.token, 'users/revoke-role', { userId: of.id, role: 'CORPORATE_ADMIN', companyId: home.id });

  it('one of two admins who dismiss each other at once gets 403, and the other 200', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await admin(), await admin()];
      const answers = await Promise.all([revoke(one, other), revoke(other, one)]);
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 403]);
    }
  });

  it('an admin can update themselves twice at once and give up the role once', async () => {
    const one = await admin();
    const renamed = await Promise.all(
      ['A', 'B'].map((firstName) => post(one.token, 'users/update', { id: one.id, firstName })),
    );
    assert.deepEqual(
      renamed.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    assert.equal((await revoke(one, one)).statusCode, 200);
    assert.equal((await revoke(one, one)).statusCode, 403);
  });

  onServer('a write waits for the revocation of its right, and is then refused', async () => {
    const one = await admin();
    const begun = deferred();
    const ends = deferred();
    const revoking = db.transaction(async (transaction) => {
      await transaction.query(sql`select from users where id = ${one.id} for update`);
      await transaction.query(sql`delete from company_roles where user_id = ${one.id}`);
      begun.resolve();
      await ends.promise;
    });
    await begun.promise;
    const answer = post(one.token, 'departments/create', { companyId: home.id, name: 'Late', costCode: 'LATE' });
    await waitUntil('the write to wait', isAnybodyWaiting);
    ends.resolve();
    await revoking;
    assert.equal((await answer).statusCode, 403);
    assert.deepEqual(
      await db.query(sql`select from departments where cost_code = 'LATE' and company_id = ${home.id}`),
      [],
    );
  });
});
