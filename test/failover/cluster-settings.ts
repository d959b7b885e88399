import { join } from 'node:path';

/** One of the servers: PostgreSQL, and the Patroni that looks after it. */
export interface Node {
  name: string;
  /** Where Patroni works; `data` in it is PostgreSQL's. */
  folder: string;
  postgresPort: number;
  /** Of Patroni's REST interface. */
  restPort: number;
}

export interface ClusterSettings {
  nodes: readonly Node[];
  etcdPort: number;
  /** Where HAProxy leads to the primary, and to the replicas. */
  primaryPort: number;
  replicaPort: number;
  password: string;
  /** The folder with the programs of PostgreSQL. */
  programs: string;
}

/**
 * Seconds after which a leader that is not heard of is none, between two looks, and for which etcd or PostgreSQL may not answer. Patroni
 * wants `loop_wait + 2 × retry_timeout ≤ ttl`; 20 is its smallest `ttl`.
 */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 };

/** The settings of a node's Patroni, as JSON, which is YAML too. */
export function patroniSettings(node: Node, { etcdPort, password, programs }: ClusterSettings): string {
  const account = (username: string) => ({ username, password });
  return JSON.stringify(
    {
      scope: 'orgdesk',
      name: node.name,
      restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
      etcd3: { hosts: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ...TIMES,
          synchronous_mode: true,
          // After a crash a standby takes over, which is there; recovery would take as long as there is to recover.
          primary_start_timeout: 0,
          postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${node.postgresPort}`,
        connect_address: `127.0.0.1:${node.postgresPort}`,
        data_dir: join(node.folder, 'data'),
        bin_dir: programs,
        pgpass: join(node.folder, 'pgpass'),
        basebackup: [{ checkpoint: 'fast' }],
        authentication: {
          superuser: account('postgres'),
          replication: account('replicator'),
          rewind: account('rewinder'),
        },
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
        parameters: { unix_socket_directories: '', shared_buffers: '32MB', wal_keep_size: '256MB' },
      },
      // A watchdog is a device of the machine; docs/deployment.md says what it is for.
      watchdog: { mode: 'off' },
    },
    undefined,
    2,
  );
}

/** HAProxy in front of the nodes: a connection to one that is not what it should be any more is closed. */
export function haproxySettings({ nodes, primaryPort, replicaPort }: ClusterSettings): string {
  const section = (name: string, port: number, question: string) => `
listen ${name}
  bind 127.0.0.1:${port}
  option httpchk OPTIONS ${question}
  http-check expect status 200
  default-server inter 1s fastinter 250ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.postgresPort} check port ${node.restPort}`).join('\n')}
`;
  return `global
  log stdout format raw local0

defaults
  mode tcp
  log global
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
${section('primary', primaryPort, '/primary')}${section('replicas', replicaPort, '/replica')}`;
}
