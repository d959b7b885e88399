import type { PossibleSettings } from './read-settings.ts';
import type { Given } from './setting.ts';
import { tracesUrl } from './tracing.ts';

/** Settings that choose the source of access tokens. */
const TOKEN_SOURCES = ['OIDC_ISSUER', 'JWKS_URL', 'JWT_SECRET'];
/** The first one that is set takes precedence. */
const TRACES_PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];

/** Yields a line for each contradiction between settings that are valid on their own. */
export function* contradictionsIn(values: PossibleSettings, given: Given): Generator<string> {
  const { databaseMaxConnections, metricsPort, oidcIssuer, port, tokenIssuer, workers = 1 } = values;
  const isGiven = (name: string) => given(name) !== undefined;

  const sources = TOKEN_SOURCES.filter(isGiven);
  if (sources.length > 1) {
    yield `  ${sources.join(' and ')} are set together: expected one, as access tokens come from one source`;
  }
  if (oidcIssuer !== undefined && tokenIssuer !== undefined && tokenIssuer !== oidcIssuer) {
    yield `  TOKEN_ISSUER is ${JSON.stringify(tokenIssuer)}: expected to be left out, as OIDC_ISSUER is the issuer`;
  }
  if (workers > 1 && !isGiven('DATABASE_URL')) {
    yield `  WORKERS is "${workers}": expected 1 without DATABASE_URL, as one process alone can use the embedded database`;
  } else if (databaseMaxConnections !== undefined && workers > databaseMaxConnections) {
    yield `  WORKERS is "${workers}": expected ${databaseMaxConnections} at most, as each needs one of the DATABASE_MAX_CONNECTIONS`;
  }
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port) {
    yield `  METRICS_PORT is "${metricsPort}", as PORT is: expected another one, as metrics are not for the public`;
  }
  const protocol = TRACES_PROTOCOLS.find(isGiven);
  if (protocol !== undefined && given(protocol) !== 'http/json' && tracesUrl(values) !== undefined) {
    yield `  ${protocol} is ${JSON.stringify(given(protocol))}: expected http/json, the one that is spoken here`;
  }
}
