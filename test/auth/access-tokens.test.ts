import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { stopClock } from '../support/clock.ts';
import { forgeToken } from '../support/forged-tokens.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { assertErrorForm, exchange, requestText } from '../support/raw-http.ts';
import { badTokens, EXPIRED, NO_TOKEN, now } from './bad-tokens.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { id, email } = await addPerson(api.db);
const good = await api.tokenFor(email);

const view = (authorization?: string, more: object = {}) =>
  api.send({
    url: '/api/users/profile',
    headers: authorization === undefined ? {} : { authorization },
    ...more,
  });

/** A token of the person, but for these claims. */
const token = (claims: Record<string, unknown>) => forgeToken({ sub: id, ...claims });

describe('access tokens', () => {
  it('a request with an access token is accepted in any case of the Bearer scheme', async () => {
    for (const authorization of [`Bearer ${good}`, `bearer ${good}`, `BEARER ${good}`, `Bearer   ${good}`]) {
      assert.equal(dataOf<ProfileView>(await view(authorization)).id, id);
    }
  });

  it('an access token is refused with 401 while the clock is before its time', async () => {
    const start = Date.now();
    const seconds = Math.floor(start / 1000);
    for (const claims of [{ iat: seconds }, { nbf: seconds }, { exp: seconds + 86_400 }]) {
      const one = `Bearer ${await token(claims)}`;
      for (const [at, status] of [
        [start, 200],
        [start - 60_000, 401],
        [start, 200],
      ] as const) {
        using _ = stopClock(at);
        assert.equal((await view(one)).statusCode, status, JSON.stringify(claims));
      }
    }
  });

  it('access tokens that another party signed with the shared secret are accepted', async () => {
    for (const claims of [
      {},
      { aud: ['other', 'orgdesk'] },
      { extra: { nested: true } },
      { nbf: now() - 5 },
      { exp: now() + 86_400 },
      {
        groups: Array.from(
          { length: 150 },
          (_, number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`,
        ),
      },
    ]) {
      assert.equal(dataOf<ProfileView>(await view(`Bearer ${await token(claims)}`)).id, id);
    }
  });

  for (const [what, authorization] of [
    ['no Authorization header', undefined],
    ['an empty Authorization header', ''],
    ['another scheme', 'Basic YWxhZGRpbjpvcGVuc2VzYW1l'],
    ['a token without a scheme', good],
    ['a scheme that begins alike', `Bearers ${good}`],
    ['a word before the scheme', `x Bearer ${good}`],
    ['a list of schemes', `Basic x, Bearer ${good}`],
  ] as const) {
    it(`a request gets 401 and only the realm if there is ${what}`, async () => {
      const response = await view(authorization);
      assertRefused(response, 401, 'AUTHENTICATION_REQUIRED');
      assert.equal(response.headers['www-authenticate'], NO_TOKEN);
      assert.equal(response.headers['cache-control'], 'no-store');
    });
  }

  for (const [what, made, challenge] of badTokens({
    id,
    email,
    good,
    inactive: api.tokenFor('inactive@acme.example'),
  })) {
    it(`an access token is refused with 401 and error="invalid_token": ${what}`, async () => {
      const response = await view(`Bearer ${await made}`);
      const { message } = assertRefused(response, 401, 'INVALID_TOKEN');
      assert.equal(response.headers['www-authenticate'], challenge);
      assert.ok(challenge.includes(message));
      assert.equal(response.headers['cache-control'], 'no-store');
    });
  }

  it('an access token gets 401 from the second in which it expires', async () => {
    const start = Math.floor(Date.now() / 1000) * 1000 + 1_000_000;
    const at = async (moment: number, act: () => Promise<void>) => {
      using _ = stopClock(start + moment);
      await act();
    };
    let brief = '';
    await at(0, async () => {
      brief = `Bearer ${await api.context.signToken(id, 60)}`;
      dataOf(await view(brief));
    });
    await at(59_999, async () => void dataOf(await view(brief)));
    for (let times = 0; times < 2; times++) {
      await at(60_000, async () => {
        const response = await view(brief);
        assertRefused(response, 401, 'INVALID_TOKEN');
        assert.equal(response.headers['www-authenticate'], EXPIRED);
      });
    }
  });

  it('roles, companies and activity in an access token grant nothing', async () => {
    const acme = await companyNamed(api.db, 'Acme');
    const claims = { roles: ['SUPER_ADMIN', 'CORPORATE_ADMIN'], role: 'SUPER_ADMIN', active: true, companyId: acme.id };
    const authorization = `Bearer ${await token({ ...claims, companyRoles: [{ companyId: acme.id, role: 'MANAGER' }] })}`;
    assert.deepEqual(dataOf<ProfileView>(await view(authorization)).roles, []);
    for (const url of ['/api/companies/list', `/api/departments/list?companyId=${acme.id}`]) {
      assertRefused(await api.send({ url, headers: { authorization } }), 403, 'ROLE_REQUIRED');
    }
  });

  it('an access token in the query, body, a cookie or another header is not accepted', async () => {
    const query = { access_token: good, token: good, authorization: `Bearer ${good}` };
    for (const more of [
      { query },
      { method: 'POST', payload: query },
      { headers: { cookie: `access_token=${good}; token=${good}` } },
      {
        headers: {
          'proxy-authorization': `Bearer ${good}`,
          'x-access-token': good,
          'x-authorization': `Bearer ${good}`,
        },
      },
    ]) {
      assertRefused(await view(undefined, more), 401, 'AUTHENTICATION_REQUIRED');
    }
  });

  it('public lists neither require nor read an access token', async () => {
    for (const authorization of [undefined, 'Bearer garbage', `Bearer ${await token({ exp: now() - 1 })}`]) {
      for (const url of [
        '/api/cities/list?countryId=-1',
        '/api/states/list?countryId=-1',
        '/api/countries/list?search=x',
      ]) {
        dataOf(await api.send({ url, headers: authorization === undefined ? {} : { authorization } }));
      }
    }
  });
});

await api.app.listen({ port: 0, host: '127.0.0.1' });
describe('access tokens on a connection', () => {
  const address = api.app.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const get = (...headers: string[]) => exchange(port, requestText('GET /api/users/profile', headers));

  it('a request over a connection with an access token is accepted', async () => {
    const { status, headers } = await get(`authorization: bearer ${good}`);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
  });

  it('a request with two Authorization headers gets 400, whatever their values', async () => {
    for (const other of [good, await api.tokenFor('admin@acme.example'), 'garbage', '']) {
      for (const [first, second] of [
        [good, other],
        [other, good],
      ]) {
        assertErrorForm(
          await get(`Authorization: Bearer ${first}`, `AUTHORIZATION: Bearer ${second}`),
          400,
          'MALFORMED_REQUEST',
        );
      }
    }
    assertErrorForm(await get(`Authorization: Basic x`, `Authorization: Bearer ${good}`), 400, 'MALFORMED_REQUEST');
  });

  it('a request with two Host headers gets 400', async () => {
    assertErrorForm(await get(`Authorization: Bearer ${good}`, 'Host: elsewhere'), 400, 'MALFORMED_REQUEST');
  });

  it('a request over a connection without a token gets 401 and a challenge in the header', async () => {
    const answer = await get();
    assertErrorForm(answer, 401, 'AUTHENTICATION_REQUIRED');
    assert.equal(answer.headers['www-authenticate'], NO_TOKEN);
  });
});
