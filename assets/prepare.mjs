import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/*
 * After an install in a clone. Without the packages for development there is nothing to build with: npm ci --omit=dev.
 *
 * Runs the commands of the script `build`, each in a process that ends before the next one begins, and without those that npm and tsx put
 * between: npm waits meanwhile with what it has in memory. One thread a bundler takes a sixth less.
 */
if (existsSync('node_modules/rolldown')) {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const env = { ...process.env, RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1', MALLOC_ARENA_MAX: '2' };
  for (const command of scripts.build.split(' && ')) {
    const words = command.replace(/^(node|tsx) /, '').split(' ');
    const options = command.startsWith('tsx') ? ['--import', 'tsx', '--max-semi-space-size=2'] : [];
    execFileSync(process.execPath, [...options, ...words], { env, stdio: 'inherit' });
  }
} else if (!existsSync('dist/cli.js')) {
  process.stderr.write('Nothing is built, as the packages for development are not installed: npm ci installs them.\n');
}
