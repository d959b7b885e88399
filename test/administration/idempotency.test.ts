import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { openDirectory } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addCompany, addPerson, type Person } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const api = await buildTestApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const home = await addCompany(db, 'Home');
const admin = await addPerson(db, { company: home, roles: [['CORPORATE_ADMIN', home]] });

function post(path: string, payload: object, key: string | undefined, as: Person = admin) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return api.send({ method: 'POST', url: `/api/${path}`, payload, headers, as: as.email });
}
const department = () => ({ companyId: home.id, name: 'Once', costCode: randomUUID().slice(0, 18) });
const departmentsWith = ({ costCode }: { costCode: string }) =>
  db.query(sql`select from departments where cost_code = ${costCode}`);

describe('a request with an Idempotency-Key', () => {
  it('a repeated request with the same Idempotency-Key is carried out once, and gets the first response', async () => {
    const [body, key] = [department(), randomUUID()];
    const first = await post('departments/create', body, key);
    const again = await post('departments/create', body, key);
    assert.equal(first.statusCode, 200, first.body);
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [200, first.body, first.headers.etag]);
    assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true']);
    assert.equal((await departmentsWith(body)).length, 1);
  });

  it('the same Idempotency-Key of another caller or for another operation is a separate request', async () => {
    const [body, key] = [department(), randomUUID()];
    dataOf(await post('departments/create', body, key));
    const other = await addPerson(db, { company: home, roles: [['CORPORATE_ADMIN', home]] });
    assertRefused(await post('departments/create', body, key, other), 409, 'ALREADY_EXISTS', ['costCode']);
    assertRefused(await post('departments/create', body, randomUUID()), 409, 'ALREADY_EXISTS', ['costCode']);
    dataOf(await post('bands/create', { companyId: home.id, name: 'Once', code: randomUUID().slice(0, 18) }, key));
  });

  it('another body with the same Idempotency-Key gets 422, and changes nothing', async () => {
    const [body, key] = [department(), randomUUID()];
    dataOf(await post('departments/create', body, key));
    const other = department();
    assertRefused(await post('departments/create', other, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal((await departmentsWith(other)).length, 0);
    dataOf(await post('departments/create', body, key));
  });

  it('simultaneous requests with one Idempotency-Key are carried out once, and get the response or 409', async () => {
    const [body, key] = [department(), randomUUID()];
    const answers = await Promise.all([1, 2, 3].map(() => post('departments/create', body, key)));
    for (const answer of answers) {
      if (answer.statusCode !== 200) assertRefused(answer, 409, 'IDEMPOTENCY_KEY_IN_USE');
    }
    assert.ok(answers.some(({ statusCode }) => statusCode === 200));
    assert.equal((await departmentsWith(body)).length, 1);
    assert.equal((await post('departments/create', body, key)).statusCode, 200);
  });

  it('a refused request with an Idempotency-Key is carried out once its reason is gone, or its body is corrected', async () => {
    const [body, key] = [department(), randomUUID()];
    dataOf(await post('departments/create', body, undefined));
    assertRefused(await post('departments/create', body, key), 409, 'ALREADY_EXISTS', ['costCode']);
    assertInvalid(await post('departments/create', { ...body, name: '' }, key), 'name');
    await db.query(sql`delete from departments where cost_code = ${body.costCode}`);
    const again = await post('departments/create', body, key);
    dataOf(again);
    assert.equal(again.headers['idempotent-replayed'], undefined);
    assert.equal((await departmentsWith(body)).length, 1);
  });

  it('a request with an Idempotency-Key and an outdated If-Match is carried out with the present one', async () => {
    const made = await post('departments/create', department(), undefined);
    const { id } = dataOf<{ id: string }>(made);
    const key = randomUUID();
    const update = (ifMatch: unknown) =>
      api.send({
        method: 'POST',
        url: '/api/departments/update',
        payload: { id, name: 'Renamed' },
        headers: { 'idempotency-key': key, 'if-match': String(ifMatch) },
        as: admin.email,
      });
    assertRefused(await update('"outdated"'), 412, 'PRECONDITION_FAILED');
    const updated = await update(made.headers.etag);
    dataOf(updated);
    const again = await update(made.headers.etag);
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [updated.body, 'true']);
    assertRefused(await update(updated.headers.etag), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('a request with an Idempotency-Key is the same in another order of names and another spelling of its values', async () => {
    const [{ companyId, name, costCode }, key] = [department(), randomUUID()];
    const first = await post('departments/create', { companyId, name, costCode }, key);
    dataOf(first);
    const again = await post(
      'departments/create',
      { costCode, name: ` ${name} `, companyId: companyId.toUpperCase() },
      key,
    );
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true']);
  });

  it('an answer to an Idempotency-Key is stored in the transaction of its request, or neither is', async (t) => {
    const [body, key] = [department(), randomUUID()];
    const { transaction } = db;
    t.mock.method(db, 'transaction', (work: Parameters<typeof transaction>[0]) =>
      transaction(async (inside) => {
        const query: typeof inside.query = (statement) => {
          if (statement.text.includes('insert into kept_answers')) throw new Error('The service is killed here');
          return inside.query(statement);
        };
        return work({ ...inside, query });
      }),
    );
    assert.equal((await post('departments/create', body, key)).statusCode, 500);
    t.mock.restoreAll();
    assert.equal((await departmentsWith(body)).length, 0);
    dataOf(await post('departments/create', body, key));
  });

  it('api-keys/create with an Idempotency-Key returns the secret again for one minute only', async () => {
    const key = randomUUID();
    const token = await api.tokenFor(admin.email);
    const create = (authorization: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/api-keys/create',
        headers: { authorization, 'idempotency-key': key },
        payload: { name: 'Once', scopes: ['users.read'], companyId: home.id },
      });
    const first = await create(`Bearer ${token}`);
    const made = dataOf<{ id: string; key: string }>(first);
    assert.match(made.key, /^odk_/);
    assert.equal((await create(`Bearer ${token}`)).body, first.body);
    const stored = await db.query(sql`select from kept_answers k where k::text like ${`%${made.key}%`}`);
    assert.equal(stored.length, 0, 'the key stands in the database');
    await db.query(sql`update kept_answers set at = at - interval '61 seconds'`);
    const later = await create(`Bearer ${token}`);
    assert.deepEqual(dataOf(later), { ...made, key: '' });
    assert.match(later.json().message, /was shown before/);
    await db.query(sql`update kept_answers set at = at - interval '24 hours'`);
    assert.notEqual(dataOf<{ id: string }>(await create(`Bearer ${token}`)).id, made.id);
  });

  it('an Idempotency-Key is forgotten after a day, and gets 403 if the caller has lost the company', async () => {
    const [body, key] = [department(), randomUUID()];
    const other = await addCompany(db, 'Other');
    const both = await addPerson(db, {
      company: other,
      roles: [
        ['CORPORATE_ADMIN', home],
        ['CORPORATE_ADMIN', other],
      ],
    });
    dataOf(await post('departments/create', body, key, both));
    await db.query(sql`delete from company_roles where user_id = ${both.id} and company_id = ${home.id}`);
    assertRefused(await post('departments/create', body, key, both), 403, 'COMPANY_FORBIDDEN');
  });

  it('an Idempotency-Key must have 1 to 255 visible characters, and reads ignore the header', async () => {
    for (const key of ['two words', 'x'.repeat(256), 'ümlaut']) {
      assertInvalid(await post('departments/create', department(), key), 'Idempotency-Key');
    }
    const answers = await Promise.all([1, 2].map(() => post('users/profile', {}, 'same')));
    for (const answer of answers) assert.equal(answer.headers['idempotent-replayed'], undefined, answer.body);
  });

  it('SCIM and webhooks/create replay the response of a request with the same Idempotency-Key', async () => {
    const directory = await openDirectory(api, 'Directory');
    const user = { userName: `${randomUUID()}@test.example`, name: { givenName: 'New', familyName: 'Joiner' } };
    const headers = { 'idempotency-key': randomUUID() };
    const added = await directory.send('POST', '/Users', user, headers);
    const again = await directory.send('POST', '/Users', user, headers);
    assert.deepEqual([added.status, again.status, again.body], [201, 201, added.body]);
    const webhook = { url: 'http://127.0.0.1:9/', companyId: home.id };
    const key = randomUUID();
    const [first, second] = [await post('webhooks/create', webhook, key), await post('webhooks/create', webhook, key)];
    assert.deepEqual(dataOf(second), dataOf(first));
    const { id } = dataOf<{ id: string }>(first);
    const tested = await post('webhooks/test', { id }, randomUUID());
    assert.equal(tested.statusCode, 200, tested.body);
  });
});

describe('what is kept of an answer', () => {
  it('a kept answer has nothing of the person in clear, and cannot be read after they are erased', async () => {
    const word = `q${randomUUID().slice(0, 8)}`;
    const key = randomUUID();
    const person = { companyId: home.id, departmentId: home.departmentId, bandId: home.bandId };
    const body = { ...person, email: `${word}@test.example`, firstName: word, lastName: word };
    const { id } = dataOf<{ id: string }>(await post('users/create', body, key));
    assert.equal(dataOf<{ id: string }>(await post('users/create', body, key)).id, id);
    const kept = await db.query(sql`select from kept_answers k where k::text ilike ${`%${word}%`}`);
    assert.equal(kept.length, 0);
    await erasePerson(db, id);
    const { message } = assertRefused(await post('users/create', body, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    assert.ok(!message.includes(word));
  });

  it('a secret is deleted from the database after a minute, without another request', async (t) => {
    const key = randomUUID();
    const body = { name: 'Once', scopes: ['users.read'], companyId: home.id };
    const token = await api.tokenFor(admin.email);
    const secrets = () => db.query(sql`select from kept_answers where secret is not null`);
    await db.query(sql`update kept_answers set secret = null`);
    using clock = manualClock(t);
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
    dataOf(await api.app.inject({ method: 'POST', url: '/api/api-keys/create', headers, payload: body }));
    assert.equal((await secrets()).length, 1);
    await clock.pass(60_000);
    await waitUntil('the deletion', async () => (await secrets()).length === 0);
  });

  it('a repeated request of a person who has lost another company gets the first response', async () => {
    const [body, key, other] = [department(), randomUUID(), await addCompany(db, 'Unrelated')];
    const both = await addPerson(db, {
      company: home,
      roles: [
        ['CORPORATE_ADMIN', home],
        ['CORPORATE_ADMIN', other],
      ],
    });
    const first = await post('departments/create', body, key, both);
    await db.query(sql`delete from company_roles where user_id = ${both.id} and company_id = ${other.id}`);
    const again = await post('departments/create', body, key, both);
    assert.deepEqual([again.statusCode, again.body], [200, first.body]);
  });

  it('a repeated request of a key for all companies gets 403 once the company that it changed is closed', async () => {
    const company = await addCompany(db, 'Closing');
    const superAdmin = await addPerson(db, { company: home, systemRole: { role: 'SUPER_ADMIN', active: true } });
    const made = await post('api-keys/create', { name: 'All', scopes: ['users.write'] }, undefined, superAdmin);
    const authorization = `Bearer ${dataOf<NewApiKeyView>(made).key}`;
    const { id: companyId, departmentId, bandId } = company;
    const named = { email: 'joiner@closing.example', firstName: 'Jo', lastName: 'Iner' };
    const payload = { companyId, departmentId, bandId, ...named };
    const create = () =>
      api.send({
        method: 'POST',
        url: '/api/users/create',
        payload,
        headers: { authorization, 'idempotency-key': 'one' },
      });
    const first = await create();
    dataOf(first);
    assert.equal((await create()).body, first.body);
    await db.query(sql`update companies set active = false where id = ${company.id}`);
    assertRefused(await create(), 403, 'COMPANY_FORBIDDEN');
  });

  it('a repeated request of a person who has lost the role gets 403, also where the operation is open to all', async () => {
    const other = await addPerson(db, { company: home, roles: [['CORPORATE_ADMIN', home]] });
    const [about, substitute] = [await addPerson(db, { company: home }), await addPerson(db, { company: home })];
    const body = { userId: about.id, substituteId: substitute.id, from: '2026-01-01', until: '2026-01-02' };
    const key = randomUUID();
    dataOf(await post('users/set-substitute', body, key, other));
    await db.query(sql`delete from company_roles where user_id = ${other.id}`);
    assertRefused(await post('users/set-substitute', body, key, other), 403, 'ROLE_REQUIRED');
  });

  it('an erased person takes no write, as a substitute or the head of a department either', async () => {
    const [gone, stays] = [await addPerson(db, { company: home }), await addPerson(db, { company: home })];
    await erasePerson(db, gone.id);
    const days = { from: '2026-01-01', until: '2026-01-02' };
    const set = (userId: string, substituteId: string) =>
      post('users/set-substitute', { userId, substituteId, ...days }, undefined);
    assertRefused(await set(stays.id, gone.id), 409, 'ERASED');
    assertRefused(await set(gone.id, stays.id), 409, 'ERASED');
    const led = { ...department(), headId: gone.id };
    assertRefused(await post('departments/create', led, undefined), 409, 'ERASED');
    const employment = { managerId: gone.id };
    assertRefused(await post('users/update', { id: stays.id, employment }, undefined), 409, 'ERASED');
  });
});

describe('keys and webhooks with an id of the caller', () => {
  it('api-keys/create and webhooks/create with a repeated id return no secret, and 409 for other content', async () => {
    const key = { id: randomUUID(), name: 'Mine', scopes: ['users.read'], companyId: home.id };
    const made = dataOf<{ id: string; key: string }>(await post('api-keys/create', key, undefined));
    assert.deepEqual(dataOf(await post('api-keys/create', key, undefined)), { ...made, key: '' });
    assertRefused(await post('api-keys/create', { ...key, name: 'Other' }, undefined), 409, 'ALREADY_EXISTS', ['id']);
    const webhook = { id: randomUUID(), url: 'http://127.0.0.1:9/', companyId: home.id };
    const added = dataOf<{ id: string; secret: string }>(await post('webhooks/create', webhook, undefined));
    assert.equal(added.id, webhook.id);
    assert.equal(dataOf<{ secret: string }>(await post('webhooks/create', webhook, undefined)).secret, '');
    const other = { ...webhook, description: 'Other' };
    assertRefused(await post('webhooks/create', other, undefined), 409, 'ALREADY_EXISTS', ['id']);
  });
});
