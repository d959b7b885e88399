import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommandLine } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { assertUpdates, makeWriters, sendUpdate } from '../support/killed-service.ts';
import { compressedLists } from './kill-faults.ts';
import { tryOften } from './try-often.ts';

/** Updates of each person before the power is cut. */
const UPDATES = 25;

/** Copies a folder without the sockets of processes that hold it. */
const copyFiles = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.sock') });

/** A power cut: the service goes on with a folder that has what was synced, and nothing else. Linux, with a C compiler. */
export async function tryPowerFaults(rounds: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const library = join(commandLine.folder, 'synced-files.so');
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, 'test/faults/synced-files.c', '-ldl']);
  const dataDir = await makeDataFolder(join(commandLine.folder, 'data'), 'demo');
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const first = await commandLine.serve(settings);
  await compressedLists(dataDir);
  const writers = await makeWriters(commandLine, settings);
  await first.kill('SIGTERM');

  /** Cuts the power amid updates, and returns the service on what is left. */
  async function cutPower(sync: boolean) {
    const synced = join(commandLine.folder, 'synced');
    rmSync(synced, { recursive: true, force: true });
    copyFiles(dataDir, synced);
    const preloaded = { LD_PRELOAD: library, SYNCED_FROM: dataDir, SYNCED_TO: synced, EMBEDDED_SYNC: String(sync) };
    const service = await commandLine.serve({ ...settings, ...preloaded });
    for (let update = 0; update < UPDATES; update++) {
      const answers = await Promise.all(writers.map((writer) => sendUpdate(service, writer)));
      assert.ok(answers.every(({ status }) => status === 200));
    }
    await service.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
    copyFiles(synced, dataDir);
    return commandLine.serve(settings);
  }

  const kept = await tryOften('power cut amid updates', rounds, async () => {
    const service = await cutPower(true);
    await assertUpdates(service, writers);
    await service.kill('SIGTERM');
    return `${writers.reduce((sum, { answered }) => sum + answered, 0)} updates answered in all, none lost`;
  });
  const lost = await tryOften('the same with EMBEDDED_SYNC=false', 1, async () => {
    const service = await cutPower(false);
    await assert.rejects(assertUpdates(service, writers));
    await service.kill('SIGTERM');
    return 'answered updates are lost, as documented';
  });
  return [kept, lost];
}
