import type { PossibleSettings } from './read-settings.ts';

/** Where a collector listens that says nothing else (OpenTelemetry, OTLP exporter). */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/** The address that spans are sent to, by the rules of OpenTelemetry; undefined where tracing is off. */
export function tracesUrl(settings: PossibleSettings): string | undefined {
  const { otelSdkDisabled, otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint } = settings;
  const switches = [otelTracesExporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint];
  const isOn = switches.some((value) => value !== undefined) && otelTracesExporter !== 'none' && !otelSdkDisabled;
  if (!isOn) return undefined;
  const endpoint = otelExporterOtlpEndpoint ?? DEFAULT_ENDPOINT;
  return otelExporterOtlpTracesEndpoint ?? `${endpoint.replace(/\/$/, '')}/v1/traces`;
}
