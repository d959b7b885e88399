import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installNode, npmFolder } from '../node/installed-program.ts';
import { call } from './call.ts';

/** What Debian's slim images leave out. */
const LEFT_OUT = [
  'usr/share/doc',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/man',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

/** Makes an image in the place of Node's own, where no registry of images can be reached: of Debian's packages and of npm's. */
export async function makeStandIn(
  name: string,
  major: string,
  buildah: readonly string[],
  folder: string,
): Promise<void> {
  const system = join(folder, 'system');
  await call(['debootstrap', '--variant=minbase', 'bookworm', system]);
  for (const path of LEFT_OUT) rmSync(join(system, path), { recursive: true, force: true });
  const local = join(system, 'usr/local');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  const node = await installNode(major, join(folder, 'node'));
  cpSync(node, join(local, 'bin/node'), { dereference: true });
  cpSync(npmFolder(), join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const tool of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${tool}-cli.js`, join(local, 'bin', tool));

  const { stdout } = await call([...buildah, 'from', 'scratch']);
  const container = stdout.trim();
  await call([...buildah, 'copy', '--quiet', container, system, '/']);
  await call([...buildah, 'config', '--env', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container]);
  await call([...buildah, 'commit', '--quiet', '--rm', container, name], { env: { TMPDIR: dirname(system) } });
  rmSync(system, { recursive: true });
}
