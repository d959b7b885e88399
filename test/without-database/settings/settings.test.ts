import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { problemsOf } from './settings-problems.ts';

const NO_PROVIDER = {
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcScope: undefined,
  jwksUrl: undefined,
  tokenAlgorithm: 'RS256',
  tokenEmailsVerified: false,
  oidcSubjectClaim: 'sub',
};
const OF_TRAVELLERS = {
  profileKey: undefined,
  profileKeyPrevious: undefined,
  documentRetention: 90,
  travellerRetention: 180,
};
const NO_BRAND = {
  brandName: 'orgdesk',
  brandLogo: undefined,
  brandColor: undefined,
  brandSupport: undefined,
  brandTerms: undefined,
  brandText: undefined,
  brandLinks: undefined,
};
const NO_MAILS = {
  smtpUrl: undefined,
  mailFrom: undefined,
  publicUrl: undefined,
  mailEvents: false,
  mailLimit: 500,
  mailLanguage: 'en',
};
const NO_TRACES = {
  otelTracesExporter: undefined,
  otelExporterOtlpEndpoint: undefined,
  otelExporterOtlpTracesEndpoint: undefined,
  otelExporterOtlpProtocol: undefined,
  otelExporterOtlpTracesProtocol: undefined,
  otelServiceName: undefined,
  otelSdkDisabled: false,
};

test('without settings the service listens on the loopback address and keeps its data in .data', () => {
  assert.deepEqual(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('.data'),
    diskReserve: 256_000_000,
    embeddedSync: true,
    keepAliveTimeout: 72_000,
    geographyExtra: undefined,
    databaseUrl: undefined,
    defaultCurrency: 'INR',
    defaultCountry: undefined,
    databaseDirectUrl: undefined,
    databaseReplicaUrl: undefined,
    databaseMaxConnections: 10,
    databaseTimeout: 1_500,
    serviceRole: undefined,
    ...OF_TRAVELLERS,
    ...NO_BRAND,
    ...NO_MAILS,
    timeZone: 'UTC',
    drainDelay: 0,
    demoData: true,
    logLevel: 'info',
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    metrics: undefined,
    ...NO_TRACES,
    tracing: undefined,
    auditRetention: undefined,
    basePath: '',
    jwtSecret: undefined,
    jwtSecretPrevious: undefined,
    ...NO_PROVIDER,
    identityProvider: undefined,
    tokenIssuer: 'orgdesk',
    tokenAudience: 'orgdesk',
    tokenLifetime: 43_200,
    trustProxy: [],
    corsOrigins: [],
    webhooks: true,
    webhookPrivateTargets: false,
    rateLimitPublic: 1_200,
    rateLimitUser: 600,
    rateLimitScim: 1_800,
    rateLimitWrites: 60,
    rateLimitBadTokens: 30,
    rateLimitCompany: 12_000,
    rateLimits: { publicLists: 1_200, user: 600, scim: 1_800, writes: 60, company: 12_000, badTokens: 30 },
    maxRequestsUnderWay: 1_000,
    bodyMemory: 64_000_000,
  });
});

test('readConfig reads each setting', () => {
  const databaseUrl = 'postgres://orgdesk:secret@db:5432/orgdesk';
  const jwtSecret = 'x'.repeat(32);
  const config = readConfig({
    PORT: '8080',
    HOST: '::1',
    DATA_DIR: '/srv/orgdesk',
    LOG_LEVEL: 'debug',
    DEMO_DATA: 'true',
    DEFAULT_CURRENCY: 'EUR',
    DEFAULT_COUNTRY: 'de',
    UNKNOWN: 'x',
    WEBHOOKS: 'false',
    WEBHOOK_PRIVATE_TARGETS: 'true',
    AUDIT_RETENTION: '400',
    BASE_PATH: '/org/desk',
    JWT_SECRET_PREVIOUS: 'y'.repeat(32),
    DATABASE_URL: databaseUrl,
    DATABASE_MAX_CONNECTIONS: '25',
    JWT_SECRET: jwtSecret,
    DATABASE_DIRECT_URL: `${databaseUrl}?direct`,
    DATABASE_REPLICA_URL: `${databaseUrl}?replica`,
    DATABASE_TIMEOUT: '800',
    DRAIN_DELAY: '7',
    DISK_RESERVE: '12',
    EMBEDDED_SYNC: 'false',
    METRICS_PORT: '9464',
    METRICS_HOST: '10.0.0.5',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_SERVICE_NAME: 'orgdesk-eu',
    TOKEN_ISSUER: 'https://issuer.example',
    TOKEN_AUDIENCE: 'api',
    TOKEN_LIFETIME: '60',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    RATE_LIMIT_PUBLIC: '1',
    RATE_LIMIT_USER: '2',
    RATE_LIMIT_SCIM: '3',
    RATE_LIMIT_WRITES: '4',
    RATE_LIMIT_BAD_TOKENS: '0',
    RATE_LIMIT_COMPANY: '5',
    MAX_REQUESTS_UNDER_WAY: '3',
    BODY_MEMORY: '32',
  });
  assert.deepEqual(config, {
    port: 8080,
    host: '::1',
    dataDir: resolve('/srv/orgdesk'),
    logLevel: 'debug',
    demoData: true,
    defaultCurrency: 'EUR',
    defaultCountry: 'DE',
    databaseUrl,
    databaseMaxConnections: 25,
    jwtSecret,
    ...NO_PROVIDER,
    identityProvider: undefined,
    auditRetention: 400,
    basePath: '/org/desk',
    jwtSecretPrevious: 'y'.repeat(32),
    databaseDirectUrl: `${databaseUrl}?direct`,
    databaseReplicaUrl: `${databaseUrl}?replica`,
    databaseTimeout: 800,
    serviceRole: undefined,
    ...OF_TRAVELLERS,
    ...NO_BRAND,
    ...NO_MAILS,
    timeZone: 'UTC',
    drainDelay: 7_000,
    diskReserve: 12_000_000,
    embeddedSync: false,
    keepAliveTimeout: 72_000,
    geographyExtra: undefined,
    metricsPort: 9464,
    metricsHost: '10.0.0.5',
    metrics: { port: 9464, host: '10.0.0.5' },
    ...NO_TRACES,
    otelExporterOtlpEndpoint: 'http://collector:4318/',
    otelServiceName: 'orgdesk-eu',
    tracing: { url: 'http://collector:4318/v1/traces', serviceName: 'orgdesk-eu' },
    tokenIssuer: 'https://issuer.example',
    tokenAudience: 'api',
    tokenLifetime: 60,
    trustProxy: ['10.0.0.0/8', '::1'],
    corsOrigins: ['https://a.example', 'http://localhost:5173'],
    webhooks: false,
    webhookPrivateTargets: true,
    rateLimitPublic: 1,
    rateLimitUser: 2,
    rateLimitScim: 3,
    rateLimitWrites: 4,
    rateLimitBadTokens: 0,
    rateLimitCompany: 5,
    rateLimits: { publicLists: 1, user: 2, scim: 3, writes: 4, company: 5, badTokens: 0 },
    maxRequestsUnderWay: 3,
    bodyMemory: 32_000_000,
  });
});

test('an empty setting has its default', () => {
  const empty = Object.fromEntries(
    ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'DEMO_DATA', 'LOG_LEVEL', 'JWT_SECRET'].map((name) => [name, '']),
  );
  assert.deepEqual(readConfig(empty), readConfig({}));
});

test('the demo data is loaded by default on the embedded database, and on a server only on request', () => {
  const server = { DATABASE_URL: 'postgresql://localhost/orgdesk' };
  assert.equal(readConfig({}).demoData, true);
  assert.equal(readConfig({ DEMO_DATA: 'false' }).demoData, false);
  assert.equal(readConfig(server).demoData, false);
  assert.equal(readConfig({ ...server, DEMO_DATA: 'true' }).demoData, true);
});

test('numbers in settings are accepted within their bounds, and refused outside', () => {
  for (const [name, key, lowest, highest] of [
    ['PORT', 'port', 0, 65_535],
    ['DATABASE_MAX_CONNECTIONS', 'databaseMaxConnections', 1, 1_000],
    ['DATABASE_TIMEOUT', 'databaseTimeout', 100, 60_000],
    ['TOKEN_LIFETIME', 'tokenLifetime', 1, 86_400],
  ] as const) {
    for (const value of [lowest, highest]) assert.equal(readConfig({ [name]: String(value) })[key], value, name);
    for (const value of [lowest - 1, highest + 1]) assert.equal(problemsOf({ [name]: String(value) }).length, 1, name);
  }
  assert.equal(problemsOf({ JWT_SECRET: 'x'.repeat(31) }).length, 1);
  assert.equal(readConfig({ JWT_SECRET: 'é'.repeat(16) }).jwtSecret, 'é'.repeat(16));
});

test('numbers and words in settings are accepted in one form only', () => {
  for (const PORT of ['0x10', '3000.0', '1e3', ' 3000', '+1', 'ten'])
    assert.equal(problemsOf({ PORT }).length, 1, PORT);
  for (const DEMO_DATA of ['yes', '2', 'trueish']) assert.equal(problemsOf({ DEMO_DATA }).length, 1, DEMO_DATA);
  for (const LOG_LEVEL of ['INFO', 'loud']) assert.equal(problemsOf({ LOG_LEVEL }).length, 1, LOG_LEVEL);
});

test('a list in a setting is refused if one of its elements is invalid', () => {
  for (const TRUST_PROXY of ['proxy', '10.0.0.0/33', '10.0.0.1,']) assert.equal(problemsOf({ TRUST_PROXY }).length, 1);
  for (const CORS_ORIGINS of [
    '**',
    '*.example',
    'app.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example,',
  ]) {
    assert.equal(problemsOf({ CORS_ORIGINS }).length, 1, CORS_ORIGINS);
  }
});

test('a relative DATA_DIR is resolved against the working directory', () => {
  assert.equal(readConfig({ DATA_DIR: 'a/b' }).dataDir, join(process.cwd(), 'a/b'));
});

test('all invalid settings are reported at once, with their values and what is expected', () => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_URL: 'mysql://localhost/x',
    DATABASE_MAX_CONNECTIONS: '0',
    DISK_RESERVE: '256 MB',
    DEMO_DATA: 'perhaps',
    LOG_LEVEL: 'loud',
    JWT_SECRET: 'short',
    TOKEN_LIFETIME: '1 h',
  });
  assert.deepEqual(problems, [
    '  PORT is "70000": expected a whole number from 0 to 65535',
    '  LOG_LEVEL is "loud": expected one of fatal, error, warn, info, debug, trace, silent',
    '  DISK_RESERVE is "256 MB": expected a whole number from 0 to 1000000, in megabytes',
    '  DEMO_DATA is "perhaps": expected true or false',
    '  DATABASE_URL (not shown here): expected a PostgreSQL address with one host, such as postgres://user:password@host:5432/database, with %, #, ?, / and @ of a password percent-encoded (% is %25), and an sslmode of disable, allow, prefer, require, verify-ca, verify-full',
    '  DATABASE_MAX_CONNECTIONS is "0": expected a whole number from 1 to 1000',
    '  JWT_SECRET (not shown here): expected at least 32 bytes',
    '  TOKEN_LIFETIME is "1 h": expected a whole number from 1 to 86400, in seconds',
  ]);
});

test('a database address with several hosts is refused', () => {
  for (const host of ['a,b', 'a,b:5432', 'a:5432,b:5432', 'user:pass,word@a,b']) {
    assert.equal(problemsOf({ DATABASE_URL: `postgres://${host}/orgdesk` }).length, 1, host);
  }
  const databaseUrl = 'postgres://user:pass,word@a/orgdesk';
  assert.equal(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl, databaseUrl);
});

test('settings that require a database server are refused on the embedded database', () => {
  const url = 'postgres://localhost/orgdesk';
  assert.deepEqual(problemsOf({ DATABASE_DIRECT_URL: url, DATABASE_REPLICA_URL: url }), [
    '  DATABASE_DIRECT_URL is set: expected only with DATABASE_URL',
    '  DATABASE_REPLICA_URL is set: expected only with DATABASE_URL',
  ]);
});

test('the former setting WORKERS is refused with the advice to start several instances', () => {
  assert.deepEqual(problemsOf({ DATABASE_URL: 'postgres://localhost/orgdesk', WORKERS: '4' }), [
    '  WORKERS is "4": expected to be left out, as an instance is one process; start several instances behind the proxy (docs/deployment.md, "Several instances")',
  ]);
  // What it says is so.
  assert.deepEqual(readConfig({ WORKERS: '1' }), readConfig({}));
});

test('a control character in an invalid setting is escaped in the message', () => {
  assert.deepEqual(problemsOf({ PORT: '\u001b[2J' }), [
    '  PORT is "\\u001b[2J": expected a whole number from 0 to 65535',
  ]);
});
