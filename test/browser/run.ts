import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Group, runFiles } from '../support/run-files.ts';
import { slowestFiles } from '../support/test-output.ts';
import { SHARED_SERVICE } from './console.ts';
import { startService } from './service.ts';

/**
 * Runs the tests of the console in a real browser, on the built program:
 * `npm run long -- browser [[--slowest COUNT] [PART OF A FILE'S NAME]...]`
 */
const FOLDER = join('test', 'browser');

if (!existsSync('dist/web/index.html')) {
  process.stderr.write('The console is not built: npm run build\n');
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const { values, positionals: parts } = parseArgs({ options: { slowest: { type: 'string' } }, allowPositionals: true });
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.browser.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
  .map((name) => join(FOLDER, name));
const total = { passed: 0, failed: 0 };
{
  await using service = await startService();
  const settings = Promise.resolve({ [SHARED_SERVICE]: JSON.stringify(service) });
  // Pages keep the processors busy themselves.
  const processes = availableParallelism();
  const interrupted = await run({ name: 'browser', files, settings });
  // What they left in the shared service does not concern a service of their own.
  if (interrupted.length > 0) total.failed += (await run({ name: 'browser, again', files: interrupted })).length;

  async function run(group: Group): Promise<string[]> {
    const [tally] = await runFiles([group], stop.signal, { processes });
    total.passed += tally?.passed ?? 0;
    total.failed += tally?.failed ?? 0;
    const slowest = slowestFiles([group], tally ? [tally] : [], Number(values.slowest ?? 0), 'wall');
    for (const line of slowest) process.stdout.write(`${line}\n`);
    return tally?.interrupted ?? [];
  }
}
if (stop.signal.aborted || total.passed + total.failed === 0) total.failed++;
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
