import { type Cluster, type Leader, waitFor } from './cluster.ts';
import { type Settled, settle } from './ledger.ts';
import { DATABASE, type Services } from './services.ts';
import { watchClock } from './standing-still.ts';
import { startTraffic } from './writers.ts';

/** Something that happens to the node that leads. */
export interface Scenario {
  name: string;
  title: string;
  /** Milliseconds without an acknowledged update that are allowed. */
  longestGap: number;
  happen(cluster: Cluster, leader: Leader): Promise<void>;
  /** What it takes, besides waiting, for the cluster to be whole again; done when somebody leads again. */
  mend?(cluster: Cluster, leader: Leader): void;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'crash',
    title: "crash of the leader's PostgreSQL (`kill -9` of the postmaster)",
    longestGap: 10_000,
    happen: async (cluster, leader) => cluster.crash(leader),
  },
  {
    name: 'switchover',
    title: 'switchover (`patronictl switchover`)',
    longestGap: 5_000,
    happen: (cluster, leader) => cluster.switchOver(leader),
  },
  {
    name: 'death',
    title: "death of the leader's node (`kill -9` of Patroni and PostgreSQL)",
    longestGap: 30_000,
    happen: async (cluster, leader) => cluster.killNode(leader.node),
    mend: (cluster, leader) => cluster.startNode(leader.node),
  },
];

/** What one round gave. */
export interface Round extends Settled {
  /** Milliseconds: the longest time in which a writer had no update acknowledged. */
  gap: number;
  /** Milliseconds from the fault until the cluster was whole again. */
  wholeAfter: number;
  geography: { answered: number; slowest: number };
  /** Milliseconds in which the machine itself stood still, at the longest: then the figures are not those of a failover. */
  stoodStill: number;
  /** Why it is not as it should be; empty where it is. */
  failures: string[];
}

/** Updates that each writer has acknowledged before the fault, and after the cluster is whole again. */
const UPDATES_AROUND = 20;

/** Lets it happen once, to a cluster that is whole, amid updates; the cluster is whole again afterwards. */
export async function tryOnce(cluster: Cluster, services: Services, scenario: Scenario, mark: string): Promise<Round> {
  const before = await cluster.wholeness();
  const stopWatch = watchClock();
  const traffic = startTraffic(services, mark);
  let wholeAfter = 0;
  try {
    await traffic.goesOn(UPDATES_AROUND);
    const began = performance.now();
    await scenario.happen(cluster, before);
    await waitFor('somebody to lead again', async () => {
      const now = await cluster.leader();
      return now && now.postmaster !== before.postmaster ? now : undefined;
    });
    scenario.mend?.(cluster, before);
    await cluster.wholeness();
    wholeAfter = performance.now() - began;
    await traffic.goesOn(UPDATES_AROUND);
  } finally {
    await traffic.stop();
  }
  const stoodStill = stopWatch();
  await using db = await cluster.openOnLeader(DATABASE);
  const settled = await settle(db, mark, traffic.written);
  const gap = Math.max(...traffic.written.map((one) => one.gap));
  const failures = [
    ...(gap > scenario.longestGap ? [`no update for ${(gap / 1000).toFixed(1)} s`] : []),
    ...settled.lost.map((value) => `lost: ${value}`),
    ...new Set(traffic.unexpected),
  ];
  return { ...settled, gap, wholeAfter, geography: traffic.reading, stoodStill, failures };
}
