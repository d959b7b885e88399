import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runFiles } from '../support/run-files.ts';
import { SHARED_BROWSER, startSharedBrowser } from './browser.ts';
import { SHARED_SERVICE } from './console.ts';
import { startService } from './service.ts';

/** Runs the tests of the console in a real browser, on the built program: `npm run test:browser [-- PART OF A FILE'S NAME]...` */
const FOLDER = join('test', 'browser');

if (!existsSync('dist/web/index.html')) {
  process.stderr.write('The console is not built: npm run build\n');
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const parts = process.argv.slice(2);
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.browser.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
  .map((name) => join(FOLDER, name));
const total = { passed: 0, failed: 0 };
{
  const browser = await startSharedBrowser();
  await using service = await startService();
  const settings = { [SHARED_BROWSER]: browser.wsEndpoint(), [SHARED_SERVICE]: JSON.stringify(service) };
  const group = { name: 'browser', files, settings: Promise.resolve(settings) };
  // Pages keep the processors busy themselves.
  const processes = availableParallelism();
  for (const { passed, failed } of await runFiles([group], stop.signal, { processes })) {
    total.passed += passed;
    total.failed += failed;
  }
  await browser.close();
}
if (stop.signal.aborted || total.passed + total.failed === 0) total.failed++;
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
