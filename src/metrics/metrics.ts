import { collectDefaultMetrics, Registry } from 'prom-client';
import type { RequestFigures } from './measured-requests.ts';
import { requestMetrics } from './request-metrics.ts';
import { addServiceMetrics, type ServiceSources } from './service-metrics.ts';

/** The metrics of a service and its process, in the Prometheus text format. */
export interface Metrics {
  /** The metrics of requests. */
  readonly requests: RequestFigures;
  /** Registers the metrics of a running service. To be called once. */
  watch(sources: ServiceSources): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Creates the metrics, those of this process included (event loop, garbage collection, memory, CPU time). */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    requests: requestMetrics(registry),
    watch: (sources) => addServiceMetrics(registry, sources),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
