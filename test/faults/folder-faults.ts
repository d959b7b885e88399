import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommandLine, type CommandLine, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { assertUpdates, makeWriters, sendUpdate, type Writer } from '../support/killed-service.ts';
import { compressedLists } from './kill-faults.ts';
import { rounded, tryOften } from './try-often.ts';

/** Milliseconds from the start of a process. */
const LIMIT = 5_000;

/** More than one process on a data folder, and one after another that was killed. */
export async function tryFolderFaults(rounds: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const settings = { DATA_DIR: await makeDataFolder(join(commandLine.folder, 'data'), 'demo'), LOG_LEVEL: 'warn' };
  let service = await commandLine.serve(settings);
  await compressedLists(settings.DATA_DIR);
  const writers = await makeWriters(commandLine, settings);
  const update = async () => {
    for (const writer of writers) assert.equal((await sendUpdate(service, writer)).status, 200);
  };

  const second = await tryOften('a second process on the folder', rounds, async () => {
    const [refused] = await Promise.all([assertRefusal(commandLine, settings, service), update()]);
    const token = await commandLine.run(['token', 'employee@acme.example'], settings);
    assert.equal(token.code, 0, token.stderr);
    await assertUpdates(service, writers);
    return `refused after ${rounded(refused)}, by the name of the first, which goes on`;
  });

  const stale = await tryOften('the lock of a killed process', rounds, async () => {
    await update();
    await service.kill('SIGKILL');
    const left = locks(settings.DATA_DIR).length;
    assert.ok(left > 0);
    service = await commandLine.serve(settings);
    await assertUpdates(service, writers);
    assert.ok(service.readyAfter < LIMIT, rounded(service.readyAfter));
    assert.equal(locks(settings.DATA_DIR).length, 2);
    return `taken over; ready after ${rounded(service.readyAfter)}`;
  });

  const race = await tryOften('two processes at once, after a killed one', rounds, async () => {
    await update();
    await service.kill('SIGKILL');
    service = await winnerOf(commandLine, settings, writers);
    return 'one serves, the other is refused';
  });
  await service.kill('SIGTERM');
  return [second, stale, race];
}

/** @returns milliseconds that the refusal took */
async function assertRefusal(commandLine: CommandLine, settings: Settings, holder: Service): Promise<number> {
  const { code, stdout, stderr, milliseconds } = await commandLine.run(['serve'], settings);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, new RegExp(`is in use by "orgdesk serve" \\(pid ${holder.pid},`));
  assert.ok(milliseconds < LIMIT, rounded(milliseconds));
  return milliseconds;
}

async function winnerOf(commandLine: CommandLine, settings: Settings, writers: readonly Writer[]): Promise<Service> {
  const outcomes = await Promise.allSettled([commandLine.serve(settings), commandLine.serve(settings)]);
  const [winner, ...more] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const [refusal] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  if (!winner) throw new Error(`None of the two serves: ${refusal}`);
  assert.equal(more.length, 0, 'Both serve.');
  assert.match(refusal ?? '', /is in use by "orgdesk serve"/);
  await assertUpdates(winner, writers);
  return winner;
}

function locks(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => name.startsWith('lock.'));
}
