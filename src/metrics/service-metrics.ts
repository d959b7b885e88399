import type { PoolFigures } from '../db/database.ts';
import type { LimitFigures } from '../http/limits.ts';
import type { OwnMetric } from './own-metric.ts';

/** What the metrics of a running service are read from, when somebody asks for them. */
export interface ServiceSources {
  /** Absent: there is no pool. */
  poolFigures?: (() => PoolFigures) | undefined;
  limitFigures(): LimitFigures;
  geography(): { version: string; revision: string; places: Readonly<Record<'countries' | 'states' | 'cities', number>> };
  /** Whether the service would say now that it is ready, and for each dependency whether it keeps it from that. */
  readiness(): Promise<{ isReady: boolean; dependencies: Readonly<Record<string, boolean>> }>;
}

/** The metrics of a running service, its requests apart. */
export function serviceMetrics({ poolFigures, limitFigures, geography, readiness }: ServiceSources): OwnMetric[] {
  return [
    {
      name: 'orgdesk_ready',
      help: '1 where /readyz would answer 200 now, otherwise 0.',
      type: 'gauge',
      samples: async () => [{ value: Number((await readiness()).isReady) }],
    },
    {
      name: 'orgdesk_dependency_up',
      help: '1 for a dependency that lets the service do its work, otherwise 0.',
      type: 'gauge',
      samples: async () =>
        labelled('dependency', Object.entries((await readiness()).dependencies).map(([name, up]) => [name, Number(up)])),
    },
    {
      name: 'orgdesk_http_requests_under_way',
      help: 'Requests that wait for the database or are being sent: those that MAX_REQUESTS_UNDER_WAY bounds.',
      type: 'gauge',
      samples: () => [{ value: limitFigures().underWay }],
    },
    {
      name: 'orgdesk_http_requests_refused_total',
      help: 'Requests refused by a limit: public, user and bad_token with 429, under_way with 503.',
      type: 'counter',
      samples: () => labelled('limit', Object.entries(limitFigures().refused)),
    },
    {
      name: 'orgdesk_geography_info',
      help: 'The geography that is served: the version is equal for equal data, the revision counts the changes of the database.',
      type: 'gauge',
      samples: () => {
        const { version, revision } = geography();
        return [{ labels: { version, revision }, value: 1 }];
      },
    },
    {
      name: 'orgdesk_geography_places',
      help: 'Places that are served, by kind.',
      type: 'gauge',
      samples: () => labelled('kind', Object.entries(geography().places)),
    },
    ...(poolFigures === undefined ? [] : poolMetrics(poolFigures)),
  ];
}

function poolMetrics(poolFigures: () => PoolFigures): OwnMetric[] {
  return [
    {
      name: 'orgdesk_database_connections',
      help: 'Connections to the database server, by what they do: in_use or idle.',
      type: 'gauge',
      samples: () => {
        const { open, inUse } = poolFigures();
        return labelled('state', Object.entries({ in_use: inUse, idle: open - inUse }));
      },
    },
    {
      name: 'orgdesk_database_statements_waiting',
      help: 'Statements and transactions that wait for a connection.',
      type: 'gauge',
      samples: () => [{ value: poolFigures().waiting }],
    },
  ];
}

function labelled(label: string, values: readonly (readonly [string, number])[]) {
  return values.map(([name, value]) => ({ labels: { [label]: name }, value }));
}
