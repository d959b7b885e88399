import * as brand from '../entities/brand.ts';
import { MAIL_LANGUAGES } from '../entities/mail.ts';
import { boolean, choice, currency, email, integer, timeZone } from '../entities/values.ts';
import { SIGNATURE_ALGORITHMS } from '../lib/signature-algorithms.ts';
import * as rules from './rules.ts';
import type { Section, Setting } from './setting.ts';

type Rows = Readonly<Record<string, Setting>>;

const SERVICE = {
  PORT: { rule: rules.portNumber, default: '3000', text: 'the port to listen on; 0 takes a free one' },
  HOST: { rule: rules.hostName, default: '127.0.0.1', text: 'the address to listen on' },
  BASE_PATH: {
    rule: rules.basePath,
    default: '',
    text: 'the path below which a proxy shows the service, such as `/orgdesk` ([under a path](deployment.md#under-a-path)); `X-Forwarded-Prefix` of a trusted proxy comes before it',
  },
  LOG_LEVEL: {
    rule: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    text: 'what is logged; the log goes to standard error, one JSON object a line ([the log](observability.md#the-log))',
  },
  /** In milliseconds. */
  DRAIN_DELAY: {
    rule: rules.inUnit('seconds', integer(0, 300), 1_000),
    default: '0',
    text: 'how long the service still answers after a stop signal, with `/readyz` 503 for a load balancer ([stopping](deployment.md#stopping))',
  },
  DEFAULT_CURRENCY: {
    rule: currency,
    default: 'INR',
    text: 'the currency (ISO 4217) of companies without a currency',
  },
  TIME_ZONE: {
    rule: timeZone,
    default: 'UTC',
    text: 'the time zone (IANA) of companies that are created without a `timeZone`: it decides their days and budget periods',
  },
  DEFAULT_COUNTRY: {
    rule: rules.country,
    text: 'the country in whose national forms phone numbers are read where a company has no `country`; absent: only international ones',
  },
  /** In milliseconds. */
  KEEP_ALIVE_TIMEOUT: {
    rule: rules.inUnit('seconds', integer(1, 3_600), 1_000),
    default: '72',
    text: 'how long an idle connection is kept; set it longer than the proxy does ([behind a reverse proxy](deployment.md#behind-a-reverse-proxy))',
  },
  WEBHOOKS: {
    rule: boolean,
    default: 'true',
    text: 'whether this process sends changes to [webhooks](audit.md#webhooks); `false` if another process does',
  },
  WEBHOOK_PRIVATE_TARGETS: {
    rule: boolean,
    default: 'false',
    text: 'whether webhooks and sign-in connections may lead to private addresses, and be plain `http`: for tests and private networks',
  },
} as const satisfies Rows;

const BRAND = {
  BRAND_NAME: {
    rule: brand.brandName,
    default: 'orgdesk',
    text: 'the name of the product in the console, mails and the API’s page',
  },
  BRAND_LOGO: {
    rule: rules.logo,
    text: 'its logo, also the icon of the tab: a PNG or SVG file, or the https address of one; an SVG has no scripts and loads nothing',
  },
  BRAND_COLOR: {
    rule: brand.brandColor,
    text: 'the colour of buttons and links, such as `#1f4e9c`; white texts on it need a contrast of 4.5:1 (WCAG 2.2), otherwise the service does not start',
  },
  BRAND_SUPPORT: { rule: brand.brandSupport, text: 'where people ask for help: an e-mail or https address' },
  BRAND_TERMS: { rule: brand.brandLink, text: 'the https address of the terms of use' },
  BRAND_TEXT: { rule: brand.brandText, text: 'what people read where they sign in' },
  BRAND_LINKS: {
    rule: brand.brandLinks,
    text: 'up to ten further links below the pages, such as `Privacy=https://acme.example/privacy, Help=https://acme.example/help`',
  },
} as const satisfies Rows;

const DATA = {
  DATA_DIR: {
    rule: rules.folder,
    default: '.data',
    text: 'the folder of the embedded database, the token key and the lock',
  },
  /** In bytes. */
  DISK_RESERVE: {
    rule: rules.inUnit('megabytes', integer(0, 1_000_000), 1_000_000),
    default: '256',
    text: 'free space to keep on the disk of the embedded database: with less it is read-only; 0: none',
  },
  EMBEDDED_SYNC: {
    rule: boolean,
    default: 'true',
    text: 'whether a commit of the embedded database waits until the disk has it: with `false`, a power cut can lose or damage data',
  },
  DEMO_DATA: {
    rule: boolean,
    default: {
      text: '`true` on the embedded database, otherwise `false`',
      of: (given) => String(given('DATABASE_URL') === undefined),
    },
    text: 'load the demo companies if there are no companies',
  },
  GEOGRAPHY_EXTRA: {
    rule: rules.file,
    text: 'a CSV file of [states and cities](geography.md#your-own-places) that adds to and corrects the shipped geography',
  },
  PROFILE_KEY: {
    rule: rules.secret,
    secret: true,
    text: 'the secret by which numbers of documents and programmes are encrypted; without it they are refused ([travellers](administration.md#travellers))',
  },
  PROFILE_KEY_PREVIOUS: {
    rule: rules.secret,
    secret: true,
    onlyWith: ['PROFILE_KEY'],
    text: 'the previous secret, until `orgdesk rotate-profile-key` has wrapped everything by `PROFILE_KEY`',
  },
  DOCUMENT_RETENTION: {
    rule: rules.inUnit('days', integer(0, 36_500)),
    default: '90',
    text: 'how long a travel document is kept after its end',
  },
  TRAVELLER_RETENTION: {
    rule: rules.inUnit('days', integer(0, 36_500)),
    default: '180',
    text: 'how long what people need to travel is kept after their last day of work',
  },
  AUDIT_RETENTION: {
    rule: rules.inUnit('days', integer(7, 36_500)),
    text: 'how long the audit trail keeps changes; absent: for ever ([keeping the trail for a time](audit.md#keeping-it-for-a-time))',
  },
} as const satisfies Rows;

const SERVER = {
  DATABASE_URL: {
    rule: rules.postgresAddress,
    secret: true,
    text: 'a PostgreSQL server, 15 or newer; absent: embedded PostgreSQL in `DATA_DIR`',
  },
  DATABASE_DIRECT_URL: {
    rule: rules.postgresAddress,
    secret: true,
    onlyWith: ['DATABASE_URL'],
    text: 'if `DATABASE_URL` is PgBouncer: the same database without it ([behind PgBouncer](database.md#behind-pgbouncer))',
  },
  DATABASE_REPLICA_URL: {
    rule: rules.postgresAddress,
    secret: true,
    onlyWith: ['DATABASE_URL'],
    text: 'a streaming replica; lists are read from it while it is at most five seconds behind ([a replica for the lists](database.md#a-replica-for-the-lists))',
  },
  SERVICE_ROLE: {
    rule: rules.anyText,
    onlyWith: ['DATABASE_URL'],
    text: 'the role of the service, to which `orgdesk migrate` grants its rights ([two roles](database.md#two-roles))',
  },
  DATABASE_MAX_CONNECTIONS: {
    rule: integer(1, 1_000),
    default: '10',
    text: 'connections for the requests of this instance; the replica has the same number',
  },
  DATABASE_TIMEOUT: {
    rule: rules.inUnit('milliseconds', integer(100, 60_000)),
    default: '1500',
    text: 'how long a statement of a request may take on the server; 0.2 s later the service gives it up',
  },
} as const satisfies Rows;

const TOKENS = {
  OIDC_ISSUER: {
    rule: rules.discoverableIssuer,
    requires: ['TOKEN_AUDIENCE'],
    text: 'an identity provider that issues the access tokens, by OpenID Connect discovery',
  },
  OIDC_CLIENT_ID: {
    rule: rules.anyText,
    onlyWith: ['OIDC_ISSUER'],
    text: 'the client by which people sign in to [the console](console.md)',
  },
  OIDC_SCOPE: {
    rule: rules.openIdScopes,
    onlyWith: ['OIDC_CLIENT_ID'],
    text: 'the scopes that the console requests when people sign in',
  },
  OIDC_SUBJECT_CLAIM: {
    rule: rules.claimName,
    default: 'sub',
    onlyWith: ['OIDC_ISSUER', 'JWKS_URL'],
    text: 'the claim that permanently identifies a person: `uid` for Okta, `oid` for Entra ID ([who is who](identity-providers.md#who-is-who))',
  },
  JWKS_URL: {
    rule: rules.secureAddress,
    requires: ['TOKEN_ISSUER', 'TOKEN_AUDIENCE'],
    text: 'the keys of an identity provider without discovery',
  },
  TOKEN_ALGORITHM: {
    rule: choice(SIGNATURE_ALGORITHMS),
    default: 'RS256',
    onlyWith: ['OIDC_ISSUER', 'JWKS_URL'],
    text: 'the signature algorithm of the identity provider',
  },
  TOKEN_EMAILS_VERIFIED: {
    rule: boolean,
    default: 'false',
    onlyWith: ['OIDC_ISSUER', 'JWKS_URL'],
    text: 'whether e-mail addresses count as verified if the identity provider does not state it; only for a provider whose addresses all belong to its own organisation ([who is who](identity-providers.md#who-is-who))',
  },
  JWT_SECRET: { rule: rules.secret, secret: true, text: 'the shared secret of the access tokens (HS256)' },
  JWT_SECRET_PREVIOUS: {
    rule: rules.secret,
    secret: true,
    onlyWith: ['JWT_SECRET'],
    text: 'the previous secret, whose tokens are also accepted while `JWT_SECRET` changes ([changing secrets](security.md#changing-secrets))',
  },
  TOKEN_ISSUER: {
    rule: rules.tokenIssuer,
    default: {
      text: '`OIDC_ISSUER`, otherwise `orgdesk`',
      of: (given) => given('OIDC_ISSUER') ?? 'orgdesk',
    },
    text: '`iss` that access tokens must have',
  },
  TOKEN_AUDIENCE: { rule: rules.anyText, default: 'orgdesk', text: '`aud` that access tokens must have' },
  /** In seconds. */
  TOKEN_LIFETIME: {
    rule: rules.inUnit('seconds', integer(1, 86_400)),
    default: '43200',
    text: 'the lifetime of tokens of `orgdesk token`',
  },
} as const satisfies Rows;

const MAILS = {
  SMTP_URL: {
    rule: rules.mailServer,
    secret: true,
    requires: ['MAIL_FROM', 'PUBLIC_URL'],
    text: 'the server that takes mails, such as `smtps://user:password@host:465`; absent: nothing is sent',
  },
  MAIL_FROM: {
    rule: email,
    onlyWith: ['SMTP_URL'],
    text: 'the address from which mails come',
  },
  PUBLIC_URL: {
    rule: rules.httpAddress,
    text: 'where people reach the console, such as `https://orgdesk.example`: what mails lead to',
  },
  MAIL_EVENTS: {
    rule: boolean,
    default: 'false',
    text: 'whether there are `mail` events without `SMTP_URL`, for [another sender](mails.md#sending-by-yourself)',
  },
  MAIL_LIMIT: {
    rule: rules.inUnit('mails an hour', integer(1, 1_000_000)),
    default: '500',
    text: 'mails to people about one company; further ones wait',
  },
  MAIL_LANGUAGE: {
    rule: choice(MAIL_LANGUAGES),
    default: 'en',
    text: 'the language of mails to people without a known one',
  },
} as const satisfies Rows;

const LIMITS = {
  RATE_LIMIT_PUBLIC: {
    rule: rules.requestsPerMinute,
    default: '1200',
    text: 'requests to the public lists from one address (of IPv6: one /64 network)',
  },
  RATE_LIMIT_USER: { rule: rules.requestsPerMinute, default: '600', text: 'requests with tokens of one user' },
  RATE_LIMIT_SCIM: { rule: rules.requestsPerMinute, default: '1800', text: 'requests to SCIM with one API key' },
  RATE_LIMIT_WRITES: {
    rule: rules.requestsPerMinute,
    default: '60',
    text: 'requests by which one user changes something, refused ones included; requests of API keys count only as `RATE_LIMIT_USER`',
  },
  RATE_LIMIT_COMPANY: {
    rule: rules.requestsPerMinute,
    default: '12000',
    text: 'requests of all people and API keys of one company',
  },
  RATE_LIMIT_BAD_TOKENS: {
    rule: rules.requestsPerMinute,
    default: '30',
    text: 'requests with invalid tokens from one address before it gets a 429',
  },
  MAX_REQUESTS_UNDER_WAY: {
    rule: integer(1, 1_000_000),
    default: '1000',
    text: 'requests at once that wait for the database or are being sent; further ones get a 503',
  },
  /** In bytes. */
  BODY_MEMORY: {
    rule: rules.inUnit('megabytes', integer(1, 1_000_000), 1_000_000),
    default: '64',
    text: 'the size of all large request bodies at once; further ones wait ([limits](security.md#limits))',
  },
  TRUST_PROXY: {
    rule: rules.addressRanges,
    default: '',
    text: 'proxies whose `X-Forwarded-For` is trusted',
  },
  CORS_ORIGINS: {
    rule: rules.origins,
    default: '',
    text: 'origins whose pages may call the service from a browser; `*` opens only the public lists, to every origin',
  },
} as const satisfies Rows;

const METRICS = {
  METRICS_PORT: {
    rule: rules.portNumber,
    text: 'the port of the metrics, at `/metrics` in the text format of Prometheus; absent: no metrics',
  },
  METRICS_HOST: {
    rule: rules.hostName,
    // Loopback instead of HOST: metrics need no token and are internal.
    default: '127.0.0.1',
    onlyWith: ['METRICS_PORT'],
    text: 'the address to listen on for metrics',
  },
} as const satisfies Rows;

const TRACES = {
  OTEL_TRACES_EXPORTER: {
    rule: choice(['otlp', 'none']),
    text: '`otlp`: spans are sent, to `http://localhost:4318` unless an endpoint is set',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { rule: rules.httpAddress, text: 'the collector that receives spans' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    rule: rules.httpAddress,
    text: 'the same with its path, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { rule: rules.anyText, text: 'the protocol of spans: only `http/json`' },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    rule: rules.anyText,
    text: 'the same, instead of `OTEL_EXPORTER_OTLP_PROTOCOL`',
  },
  OTEL_SERVICE_NAME: { rule: rules.anyText, text: 'the name of the service in its spans; default `orgdesk`' },
  OTEL_SDK_DISABLED: { rule: boolean, default: 'false', text: '`true`: no spans are sent' },
} as const satisfies Rows;

/** All settings, in the order of the documentation. */
export const SECTIONS: readonly Section[] = [
  { title: 'The service', settings: SERVICE },
  {
    title: 'The name of the product',
    text: '[Name and logo](console.md#name-and-logo) shows where they appear.',
    settings: BRAND,
  },
  { title: 'The data', settings: DATA },
  { title: 'A PostgreSQL server', settings: SERVER },
  {
    title: 'Access tokens',
    text:
      'Access tokens come from one source: `OIDC_ISSUER`, `JWKS_URL` or `JWT_SECRET`. Without any of these the service has a separate ' +
      'key pair in `DATA_DIR`. [Identity providers](identity-providers.md) shows how to set one up.',
    settings: TOKENS,
  },
  { title: 'Mails', text: '[Mails](mails.md): who gets which, and when.', settings: MAILS },
  {
    title: 'Limits',
    text: 'Callers on the loopback address have no rate limit unless `TRUST_PROXY` is set.',
    settings: LIMITS,
  },
  { title: 'Metrics', text: '[Metrics](observability.md#metrics) lists them.', settings: METRICS },
  {
    title: 'Traces',
    text:
      'The variables of OpenTelemetry. The service checks these at start; the packages of OpenTelemetry read headers, time limits ' +
      'and sampling ([Traces](observability.md#traces)).',
    settings: TRACES,
  },
];

export const SETTINGS = {
  ...SERVICE,
  ...BRAND,
  ...DATA,
  ...SERVER,
  ...TOKENS,
  ...MAILS,
  ...LIMITS,
  ...METRICS,
  ...TRACES,
};
