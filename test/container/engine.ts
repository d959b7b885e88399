import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandOutput, call, succeeds } from './call.ts';
import { makeStandIn } from './stand-in.ts';

export const IMAGE = 'orgdesk:test-container';
/** The image that the program's is made from, and the major version of its Node. */
const [, BASE = '', MAJOR = ''] =
  /^ARG NODE_IMAGE=(node:(\d+)-slim)$/m.exec(readFileSync('Dockerfile', 'utf8')) ??
  assert.fail('the Dockerfile has no base');
/** How long a registry may take to give the base. */
const PULLING_MS = 120_000;

/** What builds images and runs containers. */
export interface Engine {
  /** Its name and version, and what the base was. */
  readonly version: string;
  /** The name of the base. */
  readonly base: string;
  /** The words that each of its commands begins with. */
  readonly command: readonly string[];
  /** What `run` needs next to what the tests ask for. */
  readonly runFlags: readonly string[];
  /** Builds the program's image. @param npmrc a file with the settings by which npm reaches its registry */
  build(npmrc: string): Promise<unknown>;
  /** Runs one of its commands. */
  run(...words: readonly string[]): Promise<CommandOutput>;
  /** Looks after a container's health, where nothing does by itself. */
  probe(container: string): Promise<unknown>;
  cleanUp(): Promise<unknown>;
}

/** Docker where it runs; otherwise buildah and podman, with all that they keep in a folder. */
export async function findEngine(folder: string): Promise<Engine> {
  return (await succeeds(['docker', 'info'], 10_000)) ? docker() : podman(folder);
}

async function docker(): Promise<Engine> {
  const { stdout } = await call(['docker', '--version']);
  const run = (...words: readonly string[]) => call(['docker', ...words]);
  return {
    version: stdout.trim(),
    base: BASE,
    command: ['docker'],
    runFlags: [],
    run,
    async build(npmrc) {
      await run('pull', '--quiet', BASE);
      return run('build', '--network=host', '--secret', `id=npmrc,src=${npmrc}`, '--tag', IMAGE, '.');
    },
    probe: async () => undefined,
    cleanUp: () => run('image', 'rm', '--force', IMAGE),
  };
}

async function podman(folder: string): Promise<Engine> {
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver=vfs'];
  const buildah = ['buildah', ...storage];
  const command = ['podman', ...storage, '--runtime=runc', '--cgroup-manager=cgroupfs', '--events-backend=none'];
  // Without systemd nothing asks for the health but the tests.
  const env = { TMPDIR: folder, DISABLE_HC_SYSTEMD: 'true' };
  const run = (...words: readonly string[]) => call([...command, ...words], { env });
  const { stdout } = await call(['podman', '--version']);
  const base = `docker.io/library/${BASE}`;
  const isReal = await succeeds([...command, 'pull', '--quiet', base], PULLING_MS);
  if (!isReal) await makeStandIn(base, MAJOR, buildah, folder);
  const limits = ['--ulimit=nofile=20000:20000', '--ulimit=nproc=4096:4096'];
  return {
    version: `${stdout.trim()}; ${isReal ? `on ${base}` : `on a stand-in for ${base}, of Debian bookworm and the npm package node@${MAJOR}`}`,
    base,
    command,
    run,
    // Docker has nothing writable on a read-only root file system unless it is asked to; it has a healthcheck, which OCI's own format lacks.
    runFlags: ['--read-only-tmpfs=false', '--log-driver=k8s-file', ...limits],
    build: (npmrc) =>
      call(
        [
          ...buildah,
          'bud',
          '--format=docker',
          '--isolation=chroot',
          '--pull-never',
          '--network=host',
          '--secret',
          `id=npmrc,src=${npmrc}`,
          '--tag',
          IMAGE,
          '.',
        ],
        { env },
      ),
    probe: (container) => run('healthcheck', 'run', container).catch(() => undefined),
    // The folder is the caller's, and removed with all that is in it.
    cleanUp: async () => undefined,
  };
}
