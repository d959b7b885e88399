import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ErrorBody } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';
import { oddBodies } from '../../support/odd-bodies.ts';
import { PROFILE_ROW } from '../../support/profile-row.ts';
import { withRoutes } from '../../support/registered-routes.ts';

/** A field that each operation reads. */
const FIELDS: Readonly<Record<string, string>> = {
  'profile.view': 'search',
  'profile.update': 'firstName',
  'cities.list': 'stateId',
  'states.list': 'search',
  'countries.list': 'isPaginationNeeded',
};

const { built: bare, routes } = await withRoutes(() =>
  buildBareApp({ query: async <Row>() => [{ owner: PROFILE_ROW.userId, ...PROFILE_ROW }] as Row[] }),
);
after(() => bare[Symbol.asyncDispose]());
const check = publishedSchemaCheck(bare.app);
const authorization = `Bearer ${await bare.context.signToken(PROFILE_ROW.userId, 600)}`;
const posts = routes.filter(({ method }) => method === 'POST');

describe('malformed and odd bodies', () => {
  for (const { method, url, operation } of posts) {
    const bodies = oddBodies(FIELDS[operation] ?? assert.fail(`Name a field of ${operation}`));

    it(`${url}: none of ${bodies.length} is a fault of the service, and what is no JSON object is a 400`, async () => {
      const statuses = new Set<number>();
      for (const [what, payload] of bodies) {
        const headers = { authorization, 'content-type': 'application/json' };
        const response = await bare.app.inject({ method, url, headers, payload });
        const { statusCode, body } = response;
        const place = `${JSON.stringify(String(payload).slice(0, 200))}: ${statusCode} ${body.slice(0, 300)}`;
        if (what === 'an object') assert.ok(statusCode === 200 || statusCode === 400, place);
        else assert.deepEqual([statusCode, (response.json() as ErrorBody).code], [400, 'MALFORMED_REQUEST'], place);
        check({ method, path: url }, response);
        statuses.add(statusCode);
      }
      assert.deepEqual([...statuses].sort(), [200, 400]);
    });
  }

  it('leave nothing behind: an object is as it was', () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { firstName?: string }).firstName, undefined);
  });

  it('have been tried in more than 300 ways, by each operation that takes a body', () => {
    assert.ok(new Set(oddBodies('x').map(([, body]) => body)).size > 300);
    assert.equal(posts.length, Object.keys(FIELDS).length);
  });
});
