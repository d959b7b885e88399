import type { PoolFigures } from '../db/database.ts';
import type { LimitFigures } from '../http/limits.ts';
import type { OwnMetric } from './own-metric.ts';

/** What the metrics of a running service are read from, when somebody asks for them. */
export interface ServiceSources {
  /** Absent: there is no pool. */
  poolFigures?: (() => PoolFigures) | undefined;
  limitFigures(): LimitFigures;
  geography: {
    readonly index: { readonly version: string; readonly revision: string } & Record<
      Kind,
      { find(query: object): Found }
    >;
  };
  /** Whether the service would say now that it is ready, and the state of each dependency by its name. */
  readiness(): Promise<{ isReady: boolean; states: Readonly<Record<string, string>> }>;
}

const KINDS = ['countries', 'states', 'cities'] as const;
type Kind = (typeof KINDS)[number];
type Found = { readonly totalItems: number };

/** The states of dependencies that are as they should be. */
const GOOD_STATES: ReadonlySet<string> = new Set(['up', 'loaded']);

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
      help: '1 for a dependency that is as it should be, otherwise 0. An identity provider that is down does not keep the service from its work.',
      type: 'gauge',
      samples: async () => {
        const states = Object.entries((await readiness()).states);
        return labelled(
          'dependency',
          states.map(([name, state]) => [name, Number(GOOD_STATES.has(state))]),
        );
      },
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
        const { version, revision } = geography.index;
        return [{ labels: { version, revision }, value: 1 }];
      },
    },
    {
      name: 'orgdesk_geography_places',
      help: 'Places that are served, by kind.',
      type: 'gauge',
      samples: () =>
        labelled(
          'kind',
          KINDS.map((kind) => [kind, geography.index[kind].find({}).totalItems]),
        ),
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
