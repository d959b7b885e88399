import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { ACCESS_TABLE } from '../auth/access-table.ts';
import type { OwnMetric } from './own-metric.ts';
import { countRequests, type RequestFigures, UNMATCHED } from './request-figures.ts';
import { requestMetrics } from './request-metrics.ts';
import { type ServiceSources, serviceMetrics } from './service-metrics.ts';

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
  const requests = countRequests([...Object.keys(ACCESS_TABLE), UNMATCHED]);
  const add = (metrics: readonly OwnMetric[]) => {
    for (const metric of metrics) registry.registerMetric(registered(metric));
  };
  add(requestMetrics(requests));
  return {
    requests,
    watch: (sources) => add(serviceMetrics(sources)),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/**
 * The library's own counters and histograms are told of each request, and look up its labels each time. Ours are counted elsewhere, in plain
 * numbers, and handed over when they are asked for.
 */
function registered({ name, help, type, samples }: OwnMetric): Metric {
  const get = async () => {
    const values = (await samples()).map((sample) => ({
      metricName: sample.name ?? name,
      labels: sample.labels ?? {},
      value: sample.value,
    }));
    return { name, help, type, values, aggregator: 'sum' };
  };
  // The registry asks a metric for these two and nothing else.
  return { name, get } as unknown as Metric;
}
