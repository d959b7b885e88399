import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../support/run-files.ts';
import { startBrowser } from './browser.ts';
import { SHARED_SERVICE } from './console.ts';
import { startService } from './service.ts';

/** Runs the tests of the console in a real browser, on the built program: `npm run test:browser [-- PART OF A FILE'S NAME]...` */
const FOLDER = join('test', 'browser');

if (!existsSync('dist/web/index.html')) {
  process.stderr.write('The console is not built: npm run build\n');
  process.exit(1);
}
await (await startBrowser()).close();

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const parts = process.argv.slice(2);
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.browser.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
  .map((name) => join(FOLDER, name));
const total = { passed: 0, failed: 0 };
{
  await using service = await startService();
  process.env[SHARED_SERVICE] = JSON.stringify(service);
  for (const { passed, failed } of await runFiles([{ name: 'browser', files }], stop.signal)) {
    total.passed += passed;
    total.failed += failed;
  }
}
if (stop.signal.aborted || total.passed + total.failed === 0) total.failed++;
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
