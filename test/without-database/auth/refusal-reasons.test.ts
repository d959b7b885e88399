import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildBareApp } from '../../support/bare-app.ts';
import { collectLog } from '../../support/collect-log.ts';
import { forgeToken } from '../../support/forged-tokens.ts';

const now = () => Math.floor(Date.now() / 1000);
const USER = '11111111-2222-4333-8444-555555555555';

describe('why a token is refused', () => {
  for (const [reason, token] of [
    ['form', async () => 'no-token'],
    ['length', () => forgeToken({ sub: USER, roles: 'x'.repeat(6_000) })],
    ['API key', async () => `odk_${'a'.repeat(43)}`],
    ['issuer', () => forgeToken({ sub: USER, iss: 'somebody else' })],
    ['audience', () => forgeToken({ sub: USER, aud: 'another service' })],
    ['lifetime', () => forgeToken({ sub: USER, exp: now() + 864_000 })],
    ['not yet valid', () => forgeToken({ sub: USER, nbf: now() + 600 })],
    ['subject', () => forgeToken({ sub: 'somebody' })],
    ['expired', () => forgeToken({ sub: USER, exp: now() - 60 })],
    ['signature', () => forgeToken({ sub: USER }, 'another secret that is long enough')],
    ['user unknown', () => forgeToken({ sub: USER })],
  ] as const) {
    it(`the reason "${reason}" of a refused token is in the log and not in the response`, async () => {
      const { log, lines } = collectLog();
      await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' }, query: async () => [] });
      const headers = { authorization: `Bearer ${await token()}` };
      const { statusCode, body } = await bare.app.inject({ url: '/api/users/profile', headers });
      assert.equal(statusCode, 401, body);
      const [line] = lines.filter(({ msg }) => msg === 'request');
      assert.equal(line?.reason, reason);
      assert.doesNotMatch(body, /"reason"/);
    });
  }

  it('no reason is logged for a request without a token', async () => {
    const { log, lines } = collectLog();
    await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' } });
    await bare.app.inject('/api/users/profile');
    assert.equal(lines.find(({ msg }) => msg === 'request')?.reason, undefined);
  });
});
