import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = 'package-lock.json';

/**
 * Installs the packages of a folder that has a package-lock.json of its own, such as `tools`, unless they are there: what one command needs,
 * and `npm ci` does not bring. Installs beside, and then moves there, as several may want it at once.
 *
 * @returns the folder of these packages
 */
export function installOwnPackages(name: string): string {
  const folder = join(ROOT, name);
  const installed = join(folder, 'node_modules');
  const lock = readFileSync(join(folder, LOCK), 'utf8');
  const stamp = join(installed, '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return installed;
  process.stderr.write(`Installing the packages of ${name}/package.json, once.\n`);
  const beside = mkdtempSync(join(folder, '.installing-'));
  try {
    for (const file of ['package.json', LOCK, '.npmrc'])
      if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(beside, file));
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', words, { cwd: beside, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(join(beside, 'node_modules/.installed-from'), lock);
    if (existsSync(installed)) renameSync(installed, join(beside, 'former'));
    renameSync(join(beside, 'node_modules'), installed);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of process.argv.slice(2)) installOwnPackages(resolve(name).slice(ROOT.length));
}
