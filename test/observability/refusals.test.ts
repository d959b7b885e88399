import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import sql from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { companyNamed } from '../support/people.ts';

const { log, lines } = collectLog();
const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const app = await buildApp({ ...api.context, geography: api.geography, log: createLog('info', log) });
after(() => app.close());
const acme = await companyNamed(api.db, 'Acme');
const globex = await companyNamed(api.db, 'Globex');

const userId = async (email: string) => {
  const [user] = await api.db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  return user?.id ?? assert.fail(email);
};
const admin = await userId('admin@acme.example');

/** Sends a request and returns its status and its line in the log. */
async function refused(as: string, request: InjectOptions) {
  const from = lines.length;
  const authorization = `Bearer ${await api.tokenFor(as)}`;
  const { statusCode } = await app.inject({ ...request, headers: { authorization, ...request.headers } });
  const line = lines.slice(from).find(({ msg }) => msg === 'request');
  return { statusCode, line: line ?? assert.fail('There is no line of the request.') };
}

const post = (url: string, payload: object, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers,
});

describe('the line of a refused request', () => {
  const department = { companyId: acme.id, name: 'Research', costCode: 'RSC', budgets: 'secret-value' };
  for (const [what, as, request, expected] of [
    [
      'a wrong body',
      'admin@acme.example',
      post('/api/departments/create', department),
      { status: 400, code: 'INVALID_INPUT', operation: 'departments.create', fields: ['budgets'] },
    ],
    [
      'a role that is missing',
      'employee@acme.example',
      { url: `/api/departments/list?companyId=${acme.id}` },
      { status: 403, code: 'ROLE_REQUIRED', operation: 'departments.list' },
    ],
    [
      'a foreign company',
      'admin@acme.example',
      { url: `/api/departments/list?companyId=${globex.id}` },
      { status: 403, code: 'COMPANY_FORBIDDEN', operation: 'departments.list' },
    ],
    [
      'an unknown id',
      'admin@acme.example',
      { url: `/api/departments/get?id=${acme.id}` },
      { status: 404, code: 'NOT_FOUND', operation: 'departments.get' },
    ],
    [
      'the last admin',
      'admin@acme.example',
      post('/api/users/revoke-role', { userId: admin, role: 'CORPORATE_ADMIN', companyId: acme.id }),
      { status: 409, code: 'LAST_ADMIN', operation: 'users.revokeRole' },
    ],
    [
      'a state that has passed',
      'admin@acme.example',
      post('/api/users/update-profile', { firstName: 'Other' }, { 'if-match': '"none"' }),
      { status: 412, code: 'PRECONDITION_FAILED', operation: 'profile.update' },
    ],
    [
      'a body that is too large',
      'admin@acme.example',
      post('/api/departments/create', { name: 'x'.repeat(70_000) }),
      { status: 413, code: 'PAYLOAD_TOO_LARGE', operation: 'departments.create' },
    ],
  ] as const) {
    it(`the log has reason, operation and caller of a refused request (${what}), and no values`, async () => {
      const { statusCode, line } = await refused(as, request);
      assert.equal(statusCode, expected.status);
      assert.deepEqual(
        { status: line.status, code: line.code, operation: line.operation, fields: line.fields, userId: line.userId },
        { fields: undefined, ...expected, userId: await userId(as) },
      );
      assert.doesNotMatch(JSON.stringify(line), /secret-value|x{10}/);
    });
  }

  it("the log line of a refused request by an API key has the key's id", async () => {
    const created = await api.send({
      as: 'admin@acme.example',
      ...post('/api/api-keys/create', { name: 'Reader', scopes: ['users.read'], companyId: acme.id }),
    });
    const { id, key } = created.json().data;
    const from = lines.length;
    const headers = { authorization: `Bearer ${key}` };
    await app.inject({ url: `/api/departments/list?companyId=${acme.id}`, headers });
    const line = lines.slice(from).find(({ msg }) => msg === 'request');
    assert.deepEqual([line?.code, line?.keyId], ['SCOPE_REQUIRED', id]);
    assert.doesNotMatch(JSON.stringify(line), new RegExp(key));
  });

  it('the log line of a successful request has no code, operation or caller', async () => {
    const { line } = await refused('admin@acme.example', { url: '/api/users/profile' });
    assert.deepEqual([line.status, line.code, line.operation, line.userId], [200, undefined, undefined, undefined]);
  });
});

describe('health probes', () => {
  it('health probes leave no line in the log at info, also while the service stops', async () => {
    const stop = AbortSignal.abort();
    const { log: own, lines: written } = collectLog();
    const stopping = await buildApp({ ...api.context, geography: api.geography, log: createLog('info', own), stop });
    assert.equal((await stopping.inject('/livez')).statusCode, 200);
    assert.equal((await stopping.inject('/readyz')).statusCode, 503);
    await stopping.close();
    assert.deepEqual(written, []);
  });
});
