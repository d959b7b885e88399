import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the programs of the cluster are. */
export interface Programs {
  etcd: string;
  haproxy: string;
  patroni: string;
  patronictl: string;
  /** The folder with the programs of PostgreSQL. */
  postgres: string;
}

const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin'];
const POSTGRES_FOLDER = '/usr/lib/postgresql';
const OLDEST_POSTGRES = 15;
const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind'];
const PACKAGES = 'patroni python3-etcd etcd-server haproxy postgresql';

/**
 * Looks for what the cluster is made of, and installs nothing.
 *
 * @throws where something is missing: what, and how to get it on Debian
 */
export function findPrograms(): Programs {
  if (process.platform !== 'linux')
    throw new Error('The failover is tried on Linux alone: it finds processes in /proc.');
  const missing: string[] = [];
  const find = (name: string): string => {
    const path = FOLDERS.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (path === undefined) missing.push(name);
    return path ?? '';
  };
  const programs = {
    etcd: find('etcd'),
    haproxy: find('haproxy'),
    patroni: find('patroni'),
    patronictl: find('patronictl'),
    postgres: findPostgres() ?? '',
  };
  if (programs.postgres === '') missing.push(`PostgreSQL ${OLDEST_POSTGRES} or newer in ${POSTGRES_FOLDER}`);
  if (programs.patroni !== '' && !hasEtcdModule(programs.patroni))
    missing.push("Python's module etcd, by which Patroni speaks to etcd");
  if (missing.length > 0) {
    throw new Error(
      `The failover cannot be tried, as these are missing: ${missing.join(', ')}.\n` +
        `On Debian: apt-get update && apt-get install --no-install-recommends ${PACKAGES}\n` +
        '(and then, where nothing else needs them: systemctl disable --now patroni etcd haproxy postgresql)',
    );
  }
  return programs;
}

/** The oldest that will do: a Patroni knows the versions of its time. */
function findPostgres(): string | undefined {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER).map(Number) : [];
  return versions
    .filter((version) => version >= OLDEST_POSTGRES)
    .toSorted((a, b) => a - b)
    .map((version) => join(POSTGRES_FOLDER, String(version), 'bin'))
    .find((folder) => POSTGRES_PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/** Asks the Python that the first line of the program names. */
function hasEtcdModule(program: string): boolean {
  const python = /^#!\s*(\S+)/.exec(readFileSync(program, 'utf8'))?.[1] ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import etcd'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What ran, in words. */
export function versionsInWords({ etcd, haproxy, patroni, postgres }: Programs): string {
  const first = (program: string, word: string) =>
    /\d+(\.\d+)+/.exec(execFileSync(program, [word], { encoding: 'utf8' }))?.[0] ?? 'unknown';
  return [
    `Patroni ${first(patroni, '--version')}`,
    `PostgreSQL ${first(join(postgres, 'postgres'), '--version')}`,
    `etcd ${first(etcd, '--version')}`,
    `HAProxy ${first(haproxy, '-v')}`,
  ].join(', ');
}
