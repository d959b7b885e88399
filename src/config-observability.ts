import { type Environment, type SettingReader, wholeNumber } from './config-settings.ts';
import type { TracingSettings } from './tracing/tracing-settings.ts';

/** Where metrics can be read. */
export interface MetricsSettings {
  port: number;
  host: string;
}

const isSet = (env: Environment, name: string): boolean => env[name] !== undefined && env[name] !== '';

/** Reads where metrics can be read. What is wrong is noted as a problem. @param mainPort the one that the service listens on */
export function readMetrics(
  env: Environment,
  setting: SettingReader,
  problems: string[],
  mainPort: number,
): MetricsSettings | undefined {
  const port = setting<number | undefined>(
    'METRICS_PORT',
    undefined,
    'a port number from 0 to 65535',
    wholeNumber(0, 65_535),
  );
  // Not HOST: what it shows is nobody's business outside, and who asks is not asked for a token.
  const host = setting('METRICS_HOST', '127.0.0.1', 'a host name or address', (text) => text);
  if (port !== undefined && port !== 0 && port === mainPort) {
    problems.push(`  METRICS_PORT is "${port}", as PORT is: expected another one, as metrics are not for the public`);
  }
  if (port === undefined && isSet(env, 'METRICS_HOST') && !isSet(env, 'METRICS_PORT')) {
    problems.push('  METRICS_HOST is set: expected only with METRICS_PORT');
  }
  return port === undefined ? undefined : { port, host };
}

/** Where a collector listens that says nothing else (OpenTelemetry, OTLP exporter). */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/**
 * Reads where spans are sent, from the variables that OpenTelemetry names. Others of them (headers, time limits, sampling) are
 * read by its own packages.
 */
export function readTracing(env: Environment, setting: SettingReader, problems: string[]): TracingSettings | undefined {
  const isOff = setting('OTEL_SDK_DISABLED', false, 'true or false', (text) =>
    /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined,
  );
  const exporter = setting<string | undefined>('OTEL_TRACES_EXPORTER', undefined, 'otlp or none', (text) =>
    text === 'otlp' || text === 'none' ? text : undefined,
  );
  const endpoint = (name: string) =>
    setting<string | undefined>(name, undefined, 'an address such as http://127.0.0.1:4318', (text) =>
      /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ? text : undefined,
    );
  const general = endpoint('OTEL_EXPORTER_OTLP_ENDPOINT');
  const ofTraces = endpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const serviceName = setting<string | undefined>('OTEL_SERVICE_NAME', undefined, 'a text', (text) => text);
  if (isOff || exporter === 'none' || (exporter ?? general ?? ofTraces) === undefined) return undefined;

  const protocol = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].find((name) =>
    isSet(env, name),
  );
  if (protocol !== undefined && env[protocol] !== 'http/json') {
    problems.push(`  ${protocol} is ${JSON.stringify(env[protocol])}: expected http/json, the one that is spoken here`);
  }
  const url = ofTraces ?? `${(general ?? DEFAULT_ENDPOINT).replace(/\/$/, '')}/v1/traces`;
  return { url, serviceName };
}
