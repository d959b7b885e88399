import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writePeople } from '../../bench/data/people.ts';
import { buildCommandLine, type CommandLine, type Service } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { assertUpdates, makeWriters, post, sendUpdate, type Writer } from '../support/killed-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { compressedLists } from './kill-faults.ts';
import { rounded, tryOften } from './try-often.ts';

const DISK = '500m';
const RESERVE_MB = 64;
/** Milliseconds. */
const [FULL_FOR, ANSWER_LIMIT, BACK_LIMIT] = [2_000, 2_000, 5_000];

/** A disk of its own, in memory; disposing of it takes it away. */
interface SmallDisk extends Disposable {
  path: string;
  free(): number;
  /** Writes files until so many bytes are free. */
  fill(left: number): void;
  clear(): void;
}

/** A full disk under the embedded database: filled by others, by the service itself, and by an import next to it. */
export async function tryDiskFaults(rounds: number): Promise<string[]> {
  using disk = smallDisk();
  await using commandLine = buildCommandLine();
  const settings = {
    DATA_DIR: await makeDataFolder(join(disk.path, 'data'), 'demo'),
    DISK_RESERVE: String(RESERVE_MB),
    LOG_LEVEL: 'info',
  };
  let service = await commandLine.serve(settings);
  await compressedLists(settings.DATA_DIR);
  const writers = await makeWriters(commandLine, settings);

  async function assertAllAfterRestart(): Promise<void> {
    await assertUpdates(service, writers);
    await service.kill('SIGKILL');
    service = await commandLine.serve(settings);
    await assertUpdates(service, writers);
  }

  const rows = [
    await tryOften('another program fills the disk', rounds, async () => {
      const writing = startWriting(service, writers);
      await waitUntil('updates', () => writing.answered > 0);
      disk.fill(0);
      await waitUntil('a refusal', () => writing.refused > 0);
      const seen = await checkService(service, writers);
      disk.clear();
      const back = await recovery(service, writers);
      await writing.stop();
      await assertAllAfterRestart();
      return `${seen}; writes again after ${rounded(back)}; ${writing.answered} updates answered, ${writing.refused} refused, none lost`;
    }),
    await tryOften('updates come until the reserve is reached', rounds, async () => {
      disk.fill((RESERVE_MB + 4) * 1e6);
      const writing = startWriting(service, writers);
      await waitUntil('updates', () => writing.answered > 20);
      disk.fill((RESERVE_MB - 1) * 1e6);
      await waitUntil('a refusal', () => writing.refused > 0);
      await writing.stop();
      const seen = await checkService(service, writers);
      assert.ok(disk.free() > (RESERVE_MB - 2) * 1e6);
      disk.clear();
      const back = await recovery(service, writers);
      await assertAllAfterRestart();
      return `${writing.answered} updates answered before; ${seen}; writes again after ${rounded(back)}`;
    }),
    await tryOften('an import beside the service runs out of space', rounds, async () => {
      const seen = await importUntilFull(commandLine, settings, disk, service);
      await assertAllAfterRestart();
      return seen;
    }),
  ];
  await service.kill('SIGTERM');
  rows.push(
    await tryOften('the first start on a disk that is too small', rounds, async () => {
      disk.fill(150e6);
      const DATA_DIR = join(disk.path, 'fresh');
      const { code, stderr, milliseconds } = await commandLine.run(['serve'], { ...settings, DATA_DIR });
      disk.clear();
      assert.equal(code, 1);
      assert.match(stderr, /too little space: .* this needs about 200 MB/);
      assert.deepEqual(readdirSync(DATA_DIR), []);
      return `refused after ${rounded(milliseconds)}, and nothing made`;
    }),
  );
  return rows;
}

/** Four people who update their profiles, until they are stopped. What is neither done nor refused for want of space rejects the stop. */
function startWriting(service: Service, writers: readonly Writer[]) {
  const stopped = new AbortController();
  const figures = { answered: 0, refused: 0 };
  const write = async (writer: Writer): Promise<void> => {
    while (!stopped.signal.aborted) {
      const { status, body } = await sendUpdate(service, writer);
      if (status === 200) figures.answered++;
      else {
        assert.deepEqual([status, body.code], [503, 'DISK_FULL']);
        figures.refused++;
        await sleep(10);
      }
    }
  };
  const written = Promise.all(writers.map(write));
  written.catch(() => undefined); // it is awaited in the end
  return Object.assign(figures, {
    async stop(): Promise<void> {
      stopped.abort();
      await written;
    },
  });
}

/** While the disk is full: updates are refused, and everything else is answered in time. */
async function checkService(service: Service, writers: readonly Writer[]): Promise<string> {
  const end = performance.now() + FULL_FOR;
  let [requested, slowest] = [0, 0];
  while (performance.now() < end) {
    for (const { token } of writers) {
      const began = performance.now();
      const refused = await post(service, '/api/users/update-profile', token, { gender: 'Never' });
      assert.deepEqual([refused.status, refused.body.code], [503, 'DISK_FULL']);
      for (const path of ['/api/users/profile', '/api/cities/list']) {
        assert.equal((await post(service, path, token, { search: 'pune' })).status, 200, path);
      }
      for (const path of ['/livez', '/readyz']) {
        assert.equal((await fetch(service.address + path)).status, 200, path);
      }
      slowest = Math.max(slowest, (performance.now() - began) / 5);
      requested += 5;
    }
  }
  assert.ok(slowest < ANSWER_LIMIT, rounded(slowest));
  return `${requested} requests answered while it was full, the slowest after ${rounded(slowest)}`;
}

/** @returns milliseconds until updates are taken again */
async function recovery(service: Service, [writer]: readonly Writer[]): Promise<number> {
  const began = performance.now();
  while (writer && (await sendUpdate(service, writer)).status !== 200) {
    assert.ok(performance.now() - began < BACK_LIMIT, 'Updates are still refused.');
    await sleep(20);
  }
  return performance.now() - began;
}

async function importUntilFull(
  commandLine: CommandLine,
  settings: Record<string, string>,
  disk: SmallDisk,
  service: Service,
): Promise<string> {
  const people = mkdtempSync(join(tmpdir(), 'orgdesk-people-'));
  try {
    await writePeople(people, { companies: 50, users: 5_000, roles: 5_000, bookings: 40_000 });
    const begun = () => service.log().split('"command":"import"').length;
    const before = begun();
    const importing = commandLine.start(['import', people], settings);
    await waitUntil('the import to begin', () => begun() > before);
    await sleep(200);
    disk.fill(8e6);
    const { code, stderr } = await importing.ended;
    assert.equal((await fetch(`${service.address}/livez`)).status, 200);
    disk.clear();
    assert.equal(code, 1, 'The import was done before the disk was full.');
    assert.match(stderr, /^Nothing was imported from .* too little space/);
    await sleep(100);
    const again = await commandLine.run(['import', people, '--dry-run'], settings);
    assert.match(again.stdout, /^users\.csv: 5000 rows, 5000 added, 0 changed/m, again.stderr);
    return 'refused, nothing imported, and the service went on';
  } finally {
    rmSync(people, { recursive: true });
  }
}

function smallDisk(): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'orgdesk-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw new Error('A small disk is made by mount -t tmpfs, which needs Linux and root.', { cause: error });
  }
  const free = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  const filling = () => readdirSync(path).filter((name) => name.startsWith('fill.'));
  const remove = () => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  };
  process.once('exit', remove);
  return {
    path,
    free,
    fill(left) {
      for (let number = filling().length; free() - left > 4096; number++) {
        try {
          writeFileSync(join(path, `fill.${number}`), Buffer.alloc(Math.min(8e6, free() - left)));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          return;
        }
      }
    },
    clear() {
      for (const name of filling()) rmSync(join(path, name));
    },
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
