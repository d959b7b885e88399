import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type RequestFigures, UNMATCHED } from './measured-requests.ts';
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

/** Gauges that have the names of counters; beside each is one by type. */
const MISNAMED = ['handles', 'requests', 'resources'];

/** Creates the metrics, those of this process included (event loop, garbage collection, memory, CPU time). */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const kind of MISNAMED) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  return {
    requests: requestMetrics(registry),
    watch: (sources) => addServiceMetrics(registry, sources),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Upper bounds of the duration buckets, in seconds. */
const DURATIONS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers the metrics of requests. */
function requestMetrics(registry: Registry): RequestFigures {
  const registers = [registry];
  const answered = new Counter({
    name: 'orgdesk_http_requests_total',
    help: 'Requests by operation and status of the answer; status aborted: the caller went away before the end of it.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'orgdesk_http_request_duration_seconds',
    help: 'Seconds from the head of a request to the end of its answer, by operation.',
    labelNames: ['operation'],
    buckets: DURATIONS_S,
    registers,
  });
  const unreadable = new Counter({
    name: 'orgdesk_http_unreadable_requests_total',
    help: 'Requests that were refused because they were not well-formed HTTP, too large in their head, or too slow to arrive.',
    registers,
  });
  const begin = (operation: string) => duration.zero({ operation });
  begin(UNMATCHED);
  return {
    begin,
    add(operation, status, seconds) {
      answered.inc({ operation, status });
      duration.observe({ operation }, seconds);
    },
    addUnreadable: () => unreadable.inc(),
  };
}
