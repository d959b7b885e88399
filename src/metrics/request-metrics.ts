import type { OwnMetric, Sample } from './own-metric.ts';
import { DURATIONS, type OperationFigures, type RequestFigures } from './request-figures.ts';

const DURATION = 'orgdesk_http_request_duration_seconds';

/** The metrics of the requests that were answered. */
export function requestMetrics(requests: RequestFigures): OwnMetric[] {
  return [
    {
      name: 'orgdesk_http_requests_total',
      help: 'Requests by operation and status of the answer; status aborted: the caller went away before the end of it.',
      type: 'counter',
      samples: () =>
        [...requests.byOperation].flatMap(([operation, { statuses }]) =>
          Array.from(statuses, ([status, value]) => ({ labels: { operation, status }, value })),
        ),
    },
    {
      name: DURATION,
      help: 'Seconds from the head of a request to the end of its answer, by operation.',
      type: 'histogram',
      samples: () => [...requests.byOperation].flatMap(([operation, figures]) => durations(operation, figures)),
    },
    {
      name: 'orgdesk_http_unreadable_requests_total',
      help: 'Requests that were refused because they were not well-formed HTTP, too large in their head, or too slow to arrive.',
      type: 'counter',
      samples: () => [{ value: requests.unreadable }],
    },
  ];
}

/** Each class of a histogram counts what lies below it too. */
function durations(operation: string, { durations: classes, seconds }: OperationFigures): Sample[] {
  let count = 0;
  const buckets = Array.from(classes, (value, index) => {
    count += value;
    return { name: `${DURATION}_bucket`, labels: { operation, le: DURATIONS[index] ?? '+Inf' }, value: count };
  });
  const labels = { operation };
  return [
    ...buckets,
    { name: `${DURATION}_sum`, labels, value: seconds },
    { name: `${DURATION}_count`, labels, value: count },
  ];
}
