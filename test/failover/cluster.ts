import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { freePorts } from '../support/free-port.ts';
import { type ClusterSettings, haproxySettings, type Node, patroniSettings } from './cluster-settings.ts';
import { killIn, processesIn } from './processes.ts';
import type { Programs } from './programs.ts';
import type { WorkingFolder } from './working-folder.ts';

/** As Patroni's REST interface gives it. */
interface Member {
  name: string;
  role: string;
  state: string;
  lag?: number | string;
}

/** The node that leads, and the process of its PostgreSQL: a restarted one is another. */
export interface Leader {
  node: Node;
  postmaster: number;
}

/** PostgreSQL on three nodes under Patroni, with etcd and HAProxy, all on the loopback interface. */
export interface Cluster {
  /** A connection string through HAProxy to the primary, for the superuser. */
  urlOf(database: string): string;
  /** Opens a database past HAProxy, by one connection to the node that leads now. */
  openOnLeader(database: string): Promise<Database>;
  leader(): Promise<Leader | undefined>;
  /** Waits until all nodes are there, and the replicas stream from the leader, one of them synchronously; gives the leader. */
  wholeness(): Promise<Leader>;
  /** Ends PostgreSQL on a node without a word (kill -9 of the postmaster). */
  crash(leader: Leader): void;
  /** Ends Patroni and all of PostgreSQL on a node without a word. */
  killNode(node: Node): void;
  startNode(node: Node): void;
  switchOver(leader: Leader): Promise<void>;
}

const NODES = 3;
/** Milliseconds. */
const DEADLINE_MS = 180_000;
const LOOK_EVERY = 200;

export async function startCluster(folder: WorkingFolder, programs: Programs): Promise<Cluster> {
  const [etcdPort = 0, etcdPeerPort = 0, primaryPort = 0, replicaPort = 0, ...ports] = await freePorts(4 + 2 * NODES);
  const nodes = Array.from({ length: NODES }, (_, place): Node => {
    const name = `node${place + 1}`;
    return {
      name,
      folder: folder.makeFolder(name),
      postgresPort: ports[place] ?? 0,
      restPort: ports[NODES + place] ?? 0,
    };
  });
  const password = randomBytes(12).toString('hex');
  const settings: ClusterSettings = {
    nodes,
    etcdPort,
    primaryPort,
    replicaPort,
    password,
    programs: programs.postgres,
  };
  const settingsFileOf = (node: Node) => join(node.folder, 'patroni.yml');
  for (const node of nodes) writeFileSync(settingsFileOf(node), patroniSettings(node, settings), { mode: 0o644 });
  const haproxyFile = join(folder.makeFolder('haproxy'), 'haproxy.cfg');
  writeFileSync(haproxyFile, haproxySettings(settings));

  folder.start('etcd', programs.etcd, etcdWords(etcdPort, etcdPeerPort));
  const startNode = (node: Node) => void folder.start(node.name, programs.patroni, [settingsFileOf(node)]);
  for (const node of nodes) startNode(node);
  folder.start('haproxy', programs.haproxy, ['-db', '-f', haproxyFile]);

  const url = (port: number, database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const open = (node: Node, database: string) =>
    openPostgresDatabase({ url: url(node.postgresPort, database), maxConnections: 1, statementTimeout: 10_000 });

  async function leader(): Promise<Leader | undefined> {
    const name = (await membersSeenBy(nodes)).find(({ role }) => role === 'leader')?.name;
    const node = nodes.find((candidate) => candidate.name === name);
    const postmaster = node && postmasterOf(node);
    return node && postmaster ? { node, postmaster } : undefined;
  }

  async function isWhole(): Promise<Leader | undefined> {
    const members = await membersSeenBy(nodes);
    const leads = await leader();
    if (leads === undefined || members.length < NODES) return undefined;
    if (!members.some(({ role }) => role === 'sync_standby')) return undefined;
    if (members.some(({ role, lag }) => role !== 'leader' && lag !== 0)) return undefined;
    await using db = open(leads.node, 'postgres');
    const [seen] = await db.query<{ streaming: number; synchronous: number }>(sql`
      select count(*)::integer as streaming, count(*) filter (where sync_state = 'sync')::integer as synchronous
        from pg_stat_replication where state = 'streaming' and not pg_is_in_recovery()`);
    return seen?.streaming === NODES - 1 && seen.synchronous > 0 ? leads : undefined;
  }

  return {
    urlOf: (database) => url(primaryPort, database),
    leader,
    startNode,
    killNode: (node) => killIn(node.folder),
    async openOnLeader(database) {
      return open((await waitFor('a leader', leader)).node, database);
    },
    wholeness: () => waitFor('all nodes to be there and stream', isWhole),
    crash({ node, postmaster }) {
      if (!processesIn(node.folder).includes(postmaster)) throw new Error(`PostgreSQL of ${node.name} does not run.`);
      process.kill(postmaster, 'SIGKILL');
    },
    async switchOver({ node }) {
      const words = ['-c', settingsFileOf(node), 'switchover', 'orgdesk', '--leader', node.name, '--force'];
      await promisify(execFile)(programs.patronictl, words, {
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: node.folder },
      });
    },
  };
}

function etcdWords(port: number, peerPort: number): string[] {
  const [address, peerAddress] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    '--name',
    'etcd1',
    '--data-dir',
    'data',
    '--logger',
    'zap',
    '--log-level',
    'warn',
    '--listen-client-urls',
    address,
    '--advertise-client-urls',
    address,
    '--listen-peer-urls',
    peerAddress,
    '--initial-advertise-peer-urls',
    peerAddress,
    '--initial-cluster',
    `etcd1=${peerAddress}`,
  ];
}

/** The members as the first node knows them that answers; none where no node does. */
async function membersSeenBy(nodes: readonly Node[]): Promise<Member[]> {
  for (const { restPort } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
      const { members = [] } = (await answer.json()) as { members?: Member[] };
      if (members.length > 0) return members;
    } catch {
      // The next one may answer.
    }
  }
  return [];
}

/** The process of PostgreSQL on a node; undefined where none runs. */
function postmasterOf({ folder }: Node): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
    return processesIn(folder).includes(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until there is something; what fails meanwhile is not there yet. */
export async function waitFor<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Waited ${DEADLINE_MS / 1000} s in vain for ${what}.`);
    await sleep(LOOK_EVERY);
  }
}
