import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../import/folders.ts';
import type { Service } from '../support/command-line.ts';
import { openDemoCommandLine } from '../support/demo-command-line.ts';

/* On the embedded database the running service reads the folder, as it holds the data folder. */
const demo = await openDemoCommandLine();
const { commandLine, settings } = demo;
let service: Service;

before(async () => {
  service = await commandLine.serve(settings);
});
after(() => demo[Symbol.asyncDispose]());

/** Asks for `/livez` again and again while a dry run of the folder is refused. */
async function assertAnswersMeanwhile(folder: string, pattern: RegExp): Promise<void> {
  let refused = false;
  const asking = (async () => {
    while (!refused) {
      assert.equal((await fetch(`${service.address}/livez`)).status, 200);
      await sleep(5);
    }
  })();
  const { code, stdout, stderr } = await commandLine.run(['import', '--dry-run', folder], settings);
  refused = true;
  await asking;
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, pattern);
}

test('a service answers while it refuses an import with a header of 16,000 names', async () => {
  const header = Array.from({ length: 16_000 }, (_, index) => index.toString(36)).join();
  await using folder = await makeFolder({ 'companies.csv': header });
  await assertAnswersMeanwhile(folder.path, /companies\.csv:1: the header has 16000 columns: the columns of /);
});

test('a service answers while it refuses an import of pipes, and stops afterwards', { timeout: 600_000 }, async () => {
  await using folder = await makeFolder({});
  // As many as there are threads that read files, and more.
  const files = ['companies', 'departments', 'bands', 'users', 'company-roles', 'system-roles', 'bookings'];
  for (const file of files) execFileSync('mkfifo', [join(folder.path, `${file}.csv`)]);
  await assertAnswersMeanwhile(
    folder.path,
    /: 7 problems\.\n {2}companies\.csv: the file cannot be read: .* is a named pipe/,
  );
  const backup = join(folder.path, 'users.csv');
  const { code, stderr } = await commandLine.run(['backup', '--force', backup], settings);
  assert.deepEqual(
    [code, stderr],
    [1, `Nothing was backed up to ${backup}: ${backup} is a named pipe, and no regular file\n`],
  );
  const ended = await service.kill('SIGTERM');
  assert.deepEqual([ended.code, ended.signal], [0, null]);
});
