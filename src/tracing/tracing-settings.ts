/** Settings of the span exporter. */
export interface TracingSettings {
  /** The URL of the OTLP endpoint for traces (HTTP, JSON), path included. */
  url: string;
  /** `service.name`; undefined: that of `OTEL_RESOURCE_ATTRIBUTES`, otherwise `orgdesk`. */
  serviceName: string | undefined;
}
