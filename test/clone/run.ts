import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { CLEAN, installNode, RunningService } from '../node/installed-program.ts';
import { freePort } from '../support/free-port.ts';
import { MemoryGroup } from '../support/memory-group.ts';
import { checkTour, tourOfTheReadme } from '../support/tour.ts';

/*
 * Does what somebody new does: clones the last commit, and types the commands of the README, within little memory, under each Node. Ends with 1
 * where one of them fails.
 */
const VERSIONS = ['20.19', '22', '24', '26'];
const MEGABYTE = 1_000_000;
const ROOM = 1_000 * MEGABYTE;
/** V8 13.6 takes 600 MB for a second to optimise one function of PostgreSQL; V8 12.4 and 14 take 25. */
const ROOM_OF_24 = 1_300 * MEGABYTE;

const execute = promisify(execFile);
const { positionals } = parseArgs({ allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-newcomer-'));
try {
  for (const version of positionals.length > 0 ? positionals : VERSIONS) await tryVersion(version);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function tryVersion(version: string): Promise<void> {
  const node = await installNode(version, join(folder, `binary-${version}`));
  const cwd = join(folder, `node-${version}`);
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, cwd]);
  const PATH = [dirname(node), CLEAN.PATH].join(delimiter);
  const env = { ...CLEAN, PATH, PORT: String(await freePort()) };
  const shell = (words: string) =>
    execute('bash', ['--norc', '-euo', 'pipefail', '-c', words], { cwd, env, maxBuffer: 1e8 });

  const { stdout: running } = await shell('node --version');
  await using group = new MemoryGroup(running.startsWith('v24.') ? ROOM_OF_24 : ROOM);
  const began = performance.now();
  await group.start(() => shell('npm ci'));
  const installed = performance.now();
  const child = group.start(() =>
    spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
  );
  const service = new RunningService(child);
  await service.ready();
  const ready = performance.now();
  try {
    const commands = tourOfTheReadme(service.address, 'npm run --silent orgdesk --');
    checkTour(commands, (await group.start(() => shell(commands))).stdout);
  } finally {
    // As Ctrl+C in a terminal: to npm and to what it has started.
    process.kill(-(child.pid ?? assert.fail('not started')), 'SIGINT');
    await once(child, 'close');
  }
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(0)} s`;
  process.stdout.write(
    `Node ${running.trim()}: npm ci in ${seconds(installed - began)}, the first start in ${seconds(ready - installed)}, ` +
      `the tour as it should be; at most ${Math.round(group.peak / MEGABYTE)} MB, files that are read included\n`,
  );
  rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
}
