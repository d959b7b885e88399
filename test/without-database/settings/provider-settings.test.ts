import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { problemsOf } from './settings-problems.ts';

const ISSUER = 'https://id.example/realm';
const KEYS = 'https://id.example/keys';

test('an identity provider is set by OIDC_ISSUER or by JWKS_URL', () => {
  const discovered = readConfig({ OIDC_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api' });
  assert.deepEqual(discovered.identityProvider, {
    issuer: ISSUER,
    jwksUrl: undefined,
    algorithm: 'RS256',
    trustsEmails: false,
    subjectClaim: 'sub',
  });
  assert.deepEqual([discovered.tokenIssuer, discovered.tokenAudience], [ISSUER, 'api']);
  const keys = {
    JWKS_URL: KEYS,
    TOKEN_ISSUER: 'someone',
    TOKEN_AUDIENCE: 'api',
    TOKEN_ALGORITHM: 'ES256',
    TOKEN_EMAILS_VERIFIED: 'true',
    OIDC_SUBJECT_CLAIM: 'oid',
  };
  const given = readConfig({ ...keys, OIDC_ISSUER: '', JWT_SECRET: '' });
  assert.deepEqual(given.identityProvider, {
    issuer: 'someone',
    jwksUrl: new URL(KEYS),
    algorithm: 'ES256',
    trustsEmails: true,
    subjectClaim: 'oid',
  });
  assert.deepEqual([given.tokenIssuer, given.tokenAudience], ['someone', 'api']);
  readConfig({ OIDC_ISSUER: ISSUER, TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api' });
});

test('two sources of access tokens are refused together', () => {
  const JWT_SECRET = 'x'.repeat(32);
  const others = { TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api' };
  for (const [env, names] of [
    [{ OIDC_ISSUER: ISSUER, JWKS_URL: KEYS }, 'OIDC_ISSUER and JWKS_URL'],
    [{ OIDC_ISSUER: ISSUER, JWT_SECRET }, 'OIDC_ISSUER and JWT_SECRET'],
    [{ JWKS_URL: KEYS, JWT_SECRET }, 'JWKS_URL and JWT_SECRET'],
    [{ OIDC_ISSUER: ISSUER, JWKS_URL: KEYS, JWT_SECRET }, 'OIDC_ISSUER and JWKS_URL and JWT_SECRET'],
  ] as const) {
    assert.deepEqual(problemsOf({ ...others, ...env }), [
      `  ${names} are set together: expected one, as access tokens come from one source`,
    ]);
  }
});

test('missing settings of an identity provider are reported, and settings that do not fit are refused', () => {
  assert.deepEqual(problemsOf({ OIDC_ISSUER: ISSUER }), ['  TOKEN_AUDIENCE is not set: expected with OIDC_ISSUER']);
  assert.deepEqual(problemsOf({ JWKS_URL: KEYS }), [
    '  TOKEN_ISSUER is not set: expected with JWKS_URL',
    '  TOKEN_AUDIENCE is not set: expected with JWKS_URL',
  ]);
  assert.deepEqual(problemsOf({ OIDC_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api', TOKEN_ISSUER: `${ISSUER}/` }), [
    `  TOKEN_ISSUER is "${ISSUER}/": expected to be left out, as OIDC_ISSUER is the issuer`,
  ]);
  for (const JWT_SECRET of ['', 'x'.repeat(32)]) {
    assert.deepEqual(problemsOf({ TOKEN_ALGORITHM: 'RS256', JWT_SECRET }), [
      '  TOKEN_ALGORITHM is set: expected only with OIDC_ISSUER or JWKS_URL',
    ]);
  }
  for (const TOKEN_ALGORITHM of ['none', 'HS256', 'rs256', 'RSA-OAEP', 'RS256,ES256']) {
    assert.equal(
      problemsOf({ OIDC_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api', TOKEN_ALGORITHM }).length,
      1,
      TOKEN_ALGORITHM,
    );
  }
});

test('the address of an identity provider must use https, or http on this machine', () => {
  const problems = (url: string) => [
    ...problemsOf({ OIDC_ISSUER: url, TOKEN_AUDIENCE: 'api' }),
    ...problemsOf({ JWKS_URL: url, TOKEN_AUDIENCE: 'api', TOKEN_ISSUER: 'x' }),
  ];
  for (const url of [
    'https://id.example',
    'https://id.example:8443/a/',
    'http://localhost:9',
    'http://127.0.0.1:9/a',
    'http://127.8.9.1',
    'http://[::1]:9',
    'http://127.1',
  ]) {
    assert.deepEqual(problems(url), [], url);
  }
  for (const url of [
    'http://id.example',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://[::2]',
    'ftp://localhost',
    'file:///etc/passwd',
    'data:,{}',
    'id.example',
    'https://',
    '//id.example',
    'https://user@id.example',
    'https://user:word@id.example',
    'https://id.example/#',
    'https://id.example#x',
  ]) {
    assert.equal(problems(url).length, 2, url);
  }
  assert.equal(problemsOf({ OIDC_ISSUER: `${ISSUER}?a=b`, TOKEN_AUDIENCE: 'api' }).length, 1);
});

test('OIDC_CLIENT_ID requires OIDC_ISSUER, and OIDC_SCOPE requires OIDC_CLIENT_ID', () => {
  const provider = { OIDC_ISSUER: ISSUER, TOKEN_AUDIENCE: 'api' };
  const client = (settings: Record<string, string>) =>
    readConfig({ ...provider, ...settings }).identityProvider?.client;
  assert.equal(client({}), undefined);
  assert.deepEqual(client({ OIDC_CLIENT_ID: 'console' }), { id: 'console', scope: undefined });
  const scope = 'openid api://orgdesk/.default';
  assert.deepEqual(client({ OIDC_CLIENT_ID: 'console', OIDC_SCOPE: scope }), { id: 'console', scope });
  assert.match(
    problemsOf({ OIDC_CLIENT_ID: 'console' }).join(),
    /OIDC_CLIENT_ID is set: expected only with OIDC_ISSUER/,
  );
  assert.match(
    problemsOf({ ...provider, OIDC_SCOPE: scope }).join(),
    /OIDC_SCOPE is set: expected only with OIDC_CLIENT_ID/,
  );
  assert.match(problemsOf({ ...provider, OIDC_CLIENT_ID: 'c', OIDC_SCOPE: 'email' }).join(), /openid among them/);
});
