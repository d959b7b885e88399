/** Where spans are sent, and under which name. */
export interface TracingSettings {
  /** The address that takes traces by OTLP over HTTP in JSON, the path included. */
  url: string;
  /** `service.name`; absent: what `OTEL_RESOURCE_ATTRIBUTES` says, otherwise `orgdesk`. */
  serviceName: string | undefined;
}
