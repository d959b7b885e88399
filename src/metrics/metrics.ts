import { collectDefaultMetrics, Registry } from 'prom-client';
import type { RequestFigures } from './measured-requests.ts';
import { requestMetrics } from './request-metrics.ts';
import { addServiceMetrics, type ServiceSources } from './service-metrics.ts';

/** What can be read of a service and its process from outside, in the text format of Prometheus. */
export interface Metrics {
  /** What the service counts its requests in. */
  readonly requests: RequestFigures;
  /** Adds the metrics of a service that runs. To be called once. */
  watch(sources: ServiceSources): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Begins to watch this process (event loop, garbage collection, memory, processor time), and to count. */
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
