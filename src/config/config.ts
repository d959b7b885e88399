import { UserError } from '../lib/errors.ts';
import type { SignatureAlgorithm } from '../lib/signature-algorithms.ts';
import {
  type Environment,
  fileProblems,
  givenIn,
  type PossibleSettings,
  readSettings,
  type Settings,
} from './read-settings.ts';
import type { Given } from './setting.ts';

/** Settings by their names in the code (DATABASE_URL is `databaseUrl`; see `settings-table.ts`), and groups of related ones. */
export interface Config extends Settings {
  /** Requests per minute; 0: unlimited. */
  rateLimits: { publicLists: number; user: number; scim: number; writes: number; company: number; badTokens: number };
  /** Address of the metrics endpoint; undefined: metrics are disabled. */
  metrics: { port: number; host: string } | undefined;
  /** Full URL for spans, and the service name in them; undefined: tracing is disabled. */
  tracing: { url: string; serviceName: string | undefined } | undefined;
  /** External issuer of access tokens; undefined: this service, or any holder of the shared secret. */
  identityProvider:
    | {
        /** `iss` of its tokens. */
        issuer: string;
        /** Address of its keys; undefined: from OpenID Connect discovery at the issuer. */
        jwksUrl: URL | undefined;
        algorithm: SignatureAlgorithm;
        /** Whether e-mail addresses without `email_verified` count as verified. */
        trustsEmails: boolean;
        /** Claim of its tokens that names a person. */
        subjectClaim: string;
        /** OAuth client of the console; absent: users paste a token. */
        client?: { id: string; scope: string | undefined };
      }
    | undefined;
}

/**
 * Reads the settings from environment variables; an empty one counts as absent.
 *
 * @throws UserError that lists every invalid setting, with its value and the expected one
 */
export function readConfig(env: Environment): Config {
  const given = givenIn(env);
  const { values, problems } = readSettings(given);
  problems.push(...fileProblems(env), ...contradictionsIn(values, given));
  if (problems.length > 0) {
    const text = `These settings are wrong:\n${problems.join('\n')}`;
    throw new UserError(`${text}\nAll settings are described in docs/configuration.md.`);
  }
  return grouped(values as Settings);
}

function grouped(settings: Settings): Config {
  const { rateLimitPublic, rateLimitUser, rateLimitScim, rateLimitWrites } = settings;
  const { rateLimitCompany, rateLimitBadTokens } = settings;
  const { metricsPort, metricsHost } = settings;
  const url = tracesUrl(settings);
  return {
    ...settings,
    rateLimits: {
      publicLists: rateLimitPublic,
      user: rateLimitUser,
      scim: rateLimitScim,
      writes: rateLimitWrites,
      company: rateLimitCompany,
      badTokens: rateLimitBadTokens,
    },
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    tracing: url === undefined ? undefined : { url, serviceName: settings.otelServiceName },
    identityProvider: identityProviderOf(settings),
  };
}

function identityProviderOf(settings: Settings): Config['identityProvider'] {
  const { oidcIssuer, oidcClientId, oidcScope, jwksUrl, tokenIssuer, tokenAlgorithm } = settings;
  if (oidcIssuer === undefined && jwksUrl === undefined) return undefined;
  const client = oidcClientId === undefined ? {} : { client: { id: oidcClientId, scope: oidcScope } };
  return {
    issuer: tokenIssuer,
    jwksUrl,
    algorithm: tokenAlgorithm,
    trustsEmails: settings.tokenEmailsVerified,
    subjectClaim: settings.oidcSubjectClaim,
    ...client,
  };
}

/** Settings that choose the source of access tokens. */
const TOKEN_SOURCES = ['OIDC_ISSUER', 'JWKS_URL', 'JWT_SECRET'];
/** The first one that is set takes precedence. */
const TRACES_PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];

/** Yields a line for each contradiction between settings that are valid on their own. */
function* contradictionsIn(values: PossibleSettings, given: Given): Generator<string> {
  const { metricsPort, oidcIssuer, port, tokenIssuer } = values;
  const isGiven = (name: string) => given(name) !== undefined;

  const sources = TOKEN_SOURCES.filter(isGiven);
  if (sources.length > 1) {
    yield `  ${sources.join(' and ')} are set together: expected one, as access tokens come from one source`;
  }
  if (oidcIssuer !== undefined && tokenIssuer !== undefined && tokenIssuer !== oidcIssuer) {
    yield `  TOKEN_ISSUER is ${JSON.stringify(tokenIssuer)}: expected to be left out, as OIDC_ISSUER is the issuer`;
  }
  const workers = given('WORKERS');
  if (workers !== undefined && workers !== '1') {
    yield `  WORKERS is ${JSON.stringify(workers)}: expected to be left out, as an instance is one process; start several instances behind the proxy (docs/deployment.md, "Several instances")`;
  }
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port) {
    yield `  METRICS_PORT is "${metricsPort}", as PORT is: expected another one, as metrics are not for the public`;
  }
  const protocol = TRACES_PROTOCOLS.find(isGiven);
  if (protocol !== undefined && given(protocol) !== 'http/json' && tracesUrl(values) !== undefined) {
    yield `  ${protocol} is ${JSON.stringify(given(protocol))}: expected http/json, the one that is spoken here`;
  }
}

/** Default endpoint of a collector (OpenTelemetry, OTLP exporter). */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/** Returns the URL for spans by the rules of OpenTelemetry; undefined if tracing is off. */
function tracesUrl(settings: PossibleSettings): string | undefined {
  const { otelSdkDisabled, otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint } = settings;
  const switches = [otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint];
  const isOn = switches.some((value) => value !== undefined) && otelTracesExporter !== 'none' && !otelSdkDisabled;
  if (!isOn) return undefined;
  const endpoint = otelExporterOtlpEndpoint ?? DEFAULT_ENDPOINT;
  return otelExporterOtlpTracesEndpoint ?? `${endpoint.replace(/\/$/, '')}/v1/traces`;
}
