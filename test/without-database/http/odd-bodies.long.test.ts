import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { OPERATIONS } from '../../../src/app/all-operations.ts';
import type { ErrorBody } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';
import { oddBodies } from '../../support/odd-bodies.ts';
import { PROFILE_ROW } from '../../support/profile-row.ts';
import { withRoutes } from '../../support/registered-routes.ts';

/** Fields that operations read, where it is not to be the first one. */
const FIELDS: Readonly<Record<string, string>> = {
  'cities.list': 'stateId',
  'countries.list': 'isPaginationNeeded',
  'companies.create': 'firstAdmin',
  'users.create': 'roles',
  'approvalPolicies.update': 'levels',
};
/** The fields that each operation takes, and whether one of them has to be there. */
const inputs = new Map(OPERATIONS.map(({ id, input }) => [id, input]));

/** Somebody who may ask for every operation. */
const ROW = {
  ...PROFILE_ROW,
  systemRole: { role: 'SUPER_ADMIN', active: true },
  companyRoles: [{ id: 'r', companyId: PROFILE_ROW.companyId, role: 'CORPORATE_ADMIN', companyActive: true }],
};

const { built: bare, routes } = await withRoutes(() =>
  // There is that one row, and no approval policy, of which any text may be the id.
  buildBareApp({
    query: async <Row>({ text }: Sql) =>
      (text.includes('from approval_policies') ? [] : [{ owner: ROW.userId, ...ROW }]) as Row[],
  }),
);
after(() => bare[Symbol.asyncDispose]());
const check = publishedSchemaCheck();
const authorization = `Bearer ${await bare.context.signToken(PROFILE_ROW.userId, 600)}`;
// A traveller is of rows of several tables: strict-bodies.test.ts sends it odd bodies.
const posts = routes.filter(
  ({ method, operation }) => method === 'POST' && !operation.takesCsv && operation.id !== 'users.updateTraveller',
);

describe('malformed and odd bodies', () => {
  for (const { method, url, operation } of posts) {
    const { properties = {}, required = [] } = inputs.get(operation.id) ?? {};
    const takesAnyId = operation.id === 'approvalPolicies.delete';
    const bodies = oddBodies(FIELDS[operation.id] ?? Object.keys(properties)[0] ?? 'search');

    it(`${url} returns no 500 for ${bodies.length} odd bodies, and 400 for all but JSON objects`, async () => {
      const statuses = new Set<number>();
      for (const [what, payload] of bodies) {
        const headers = { authorization, 'content-type': 'application/json' };
        const response = await bare.app.inject({ method, url, headers, payload });
        const { statusCode, body } = response;
        const place = `${JSON.stringify(String(payload).slice(0, 200))}: ${statusCode} ${body.slice(0, 300)}`;
        if (what === 'an object') assert.ok([200, 400, ...(takesAnyId ? [404] : [])].includes(statusCode), place);
        else assert.deepEqual([statusCode, (response.json() as ErrorBody).code], [400, 'MALFORMED_REQUEST'], place);
        check({ method, path: url }, response);
        statuses.add(statusCode);
      }
      assert.deepEqual([...statuses].sort(), takesAnyId ? [400, 404] : required.length > 0 ? [400] : [200, 400]);
    });
  }

  it('odd bodies do not change the object prototype', () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { firstName?: string }).firstName, undefined);
  });

  it('more than 300 odd bodies are sent to each operation with a body', () => {
    assert.ok(new Set(oddBodies('x').map(([, body]) => body)).size > 300);
    assert.ok(posts.length > 20);
  });
});
