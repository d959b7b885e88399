import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownSettings } from './environment.ts';

test('an unknown setting with a similar name is reported with the nearest setting, and without its value', () => {
  for (const [name, nearest] of [
    ['JWTSECRET', 'JWT_SECRET'],
    ['jwt_secret', 'JWT_SECRET'],
    ['JWT_SECRET_FIEL', 'JWT_SECRET_FILE'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATA-DIR', 'DATA_DIR'],
    ['OIDC_ISUER', 'OIDC_ISSUER'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ] as const) {
    const [warning, ...others] = unknownSettings({ [name]: 'a value that is not told' });
    assert.match(warning ?? '', new RegExp(`^${name} is no setting .* did you mean ${nearest}\\?$`));
    assert.doesNotMatch(warning ?? '', /not told/);
    assert.deepEqual(others, []);
  }
});

test('settings of other programs, settings of the service and empty settings are not reported as unknown', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'a',
    LOGNAME: 'a',
    PGHOST: 'a',
    POSTGRES_USER: 'a',
    NODE_ENV: 'a',
    DATABASE_NAME: 'a',
    ORGDESK_PORT: 'tcp://10.0.0.1:3000',
    npm_config_user_agent: 'a',
    JWTSECRET: '',
    JWT_SECRET: 'a',
    JWT_SECRET_FILE: 'a',
    DATABASE_URL_FILE: 'a',
    PORT: '1',
    HTTP_PROXY: 'a',
    LANGUAGE: 'en',
  };
  assert.deepEqual(unknownSettings(others), []);
});
