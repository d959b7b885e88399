import type { PossibleSettings } from './read-settings.ts';

/** Default endpoint of a collector (OpenTelemetry, OTLP exporter). */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/** Returns the URL for spans by the rules of OpenTelemetry; undefined if tracing is off. */
export function tracesUrl(settings: PossibleSettings): string | undefined {
  const { otelSdkDisabled, otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint } = settings;
  const switches = [otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint];
  const isOn = switches.some((value) => value !== undefined) && otelTracesExporter !== 'none' && !otelSdkDisabled;
  if (!isOn) return undefined;
  const endpoint = otelExporterOtlpEndpoint ?? DEFAULT_ENDPOINT;
  return otelExporterOtlpTracesEndpoint ?? `${endpoint.replace(/\/$/, '')}/v1/traces`;
}
