import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { assertRefused } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson } from '../support/people.ts';

const api = await buildTestApp({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_COMPANY: '4' });
after(() => api[Symbol.asyncDispose]());

it('people and API keys of one company share a request limit, and other companies keep theirs', async () => {
  const [busy, other] = [await addCompany(api.db, 'Limit Busy'), await addCompany(api.db, 'Limit Other')];
  const person = async (company: typeof busy) =>
    api.context.signToken((await addPerson(api.db, { company, roles: [['EMPLOYEE', company]] })).id, 600);
  const { key } = await api.db.transaction((transaction) =>
    addApiKey(
      transaction,
      { kind: 'command' },
      { name: 'Busy', scopes: ['events.read'], companyId: busy.id, expiresAt: null },
    ),
  );
  const [ana, ben, stranger] = [await person(busy), await person(busy), await person(other)];
  const ask = (token: string, url = '/api/users/profile') =>
    api.send({ url, headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.7' } });
  for (const token of [ana, ben, ana]) assert.equal((await ask(token)).statusCode, 200);
  assert.equal((await ask(key, '/api/events/list')).statusCode, 200);
  for (const refused of [await ask(ben), await ask(key, '/api/events/list')]) {
    assertRefused(refused, 429, 'TOO_MANY_REQUESTS');
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
  }
  assert.equal((await ask(stranger)).statusCode, 200);
});
