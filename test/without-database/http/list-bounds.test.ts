import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { SCOPES } from '../../../src/entities/api-key.ts';
import { AUDITED_ENTITIES } from '../../../src/entities/entities.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { ownersAsked } from '../../support/caller-rows.ts';

const COMPANY = '11111111-2222-4333-8444-555555555555';
const person = (roles: unknown) => ({ email: 'a@acme.example', firstName: 'A', lastName: 'B', roles });

interface Refusal {
  code: string;
  errors: { field: string; code: string; message: string }[];
}

describe('lists in bodies', () => {
  let bare: BareApp;
  let authorization: string;
  before(async () => {
    const systemRole = { role: 'SUPER_ADMIN', active: true };
    const superAdmin = { active: true, works: true, systemRole, companyRoles: [] };
    const query = async <Row extends object>(statement: Sql): Promise<Row[]> =>
      ownersAsked(statement).map((owner) => ({ owner, userId: 'x', ...superAdmin })) as unknown as Row[];
    bare = await buildBareApp({ query });
    authorization = `Bearer ${await bare.context.signToken(COMPANY, 600)}`;
  });
  after(() => bare[Symbol.asyncDispose]());

  async function refused(url: string, payload: object): Promise<Refusal> {
    const { statusCode, payload: text } = await bare.app.inject({
      method: 'POST',
      url,
      headers: { authorization },
      payload,
    });
    assert.equal(statusCode, 400, text);
    assert.ok(text.length < 40_000, `${text.length} characters`);
    return JSON.parse(text) as Refusal;
  }

  /** As many as fit into the body. */
  const [few, many] = [32_000, 250_000];
  for (const [url, field, bound, body] of [
    ['/api/users/create', 'roles', 3, (items: unknown[]) => ({ companyId: COMPANY, ...person(items) })],
    [
      '/api/api-keys/create',
      'scopes',
      SCOPES.length,
      (scopes: unknown[]) => ({ name: 'A', companyId: COMPANY, scopes }),
    ],
    [
      '/api/webhooks/create',
      'entities',
      AUDITED_ENTITIES.length,
      (entities: unknown[]) => ({ url: 'https://a.example/', entities }),
    ],
    ['/api/users/save', 'create[0].roles', 3, (items: unknown[]) => ({ companyId: COMPANY, create: [person(items)] })],
    ['/api/users/save', 'update', 500, (update: unknown[]) => ({ companyId: COMPANY, update })],
    ['/api/users/save', 'create', 500, (create: unknown[]) => ({ companyId: COMPANY, create })],
    ['/api/bookings/record', 'bookings', 1000, (bookings: unknown[]) => ({ bookings })],
  ] as const) {
    it(`too many items in ${field} of ${url} return 400 with the maximum alone`, async () => {
      const count = url === '/api/users/save' || url === '/api/bookings/record' ? many : few;
      const { code, errors } = await refused(url, body(Array.from({ length: count }, () => 0)));
      assert.equal(code, 'INVALID_INPUT');
      assert.deepEqual(
        errors.map((error) => error.field),
        [field],
      );
      assert.match(errors[0]?.message ?? '', new RegExp(`\\b${bound}\\b`));
    });
  }

  it('a list by GET returns 400 with DUPLICATE alone for a required parameter that is written as a list', async () => {
    for (const name of ['companyId[]', 'companyId[0]', 'companyId[0][id]']) {
      for (const query of [{ [name]: COMPANY }, { companyId: COMPANY, [name]: '' }]) {
        const answer = await bare.app.inject({ url: '/api/users/list', query, headers: { authorization } });
        assert.equal(answer.statusCode, 400);
        assert.deepEqual(answer.json<Refusal>().errors, [
          { field: 'companyId', code: 'DUPLICATE', message: 'companyId must be given once, as one value.' },
        ]);
      }
    }
  });

  it('a response contains at most a hundred problems, and a long unknown name is cut', async () => {
    const create = Array.from({ length: 500 }, () => ({}));
    const { errors } = await refused('/api/users/save', { companyId: COMPANY, create });
    assert.equal(errors.length, 100);
    const unknown = await refused('/api/users/save', {
      companyId: COMPANY,
      create: [person([])],
      [`${'x'.repeat(400_000)}`]: 1,
    });
    assert.equal(unknown.errors[0]?.code, 'UNKNOWN_FIELD');
  });
});
