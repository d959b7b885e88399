import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from './browser.ts';

/** Runs the tests of the console in a real browser, on the built program. */
const FOLDER = join('test', 'browser');
if (!existsSync('dist/web/index.html')) {
  process.stderr.write('The console is not built: npm run build\n');
  process.exit(1);
}
await (await startBrowser()).close();
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.browser.ts'));
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-concurrency=1', ...files.map((name) => join(FOLDER, name))],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
