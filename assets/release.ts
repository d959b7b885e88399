import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packs what a release publishes into a folder: `orgdesk`, `orgdesk-client`, the wheel of the Python client, and the list of what the program is
 * made of. REPOSITORY_URL becomes their address, if it is set. Needs what `npm run build` makes.
 *
 * @param python with the modules `build`, `setuptools` and `wheel`
 */
export function packRelease(folder: string, python = 'python3'): void {
  mkdirSync(folder, { recursive: true });
  const own = mkdtempSync(join(tmpdir(), 'orgdesk-release-'));
  const run = (program: string, words: readonly string[], cwd: string) =>
    execFileSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const [client, wheel] = [join(own, 'client'), join(own, 'python')];
    cpSync(join(ROOT, 'packages/client'), client, { recursive: true });
    cpSync(join(ROOT, 'packages/python'), wheel, { recursive: true });
    run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
    run(process.execPath, [join(ROOT, 'assets/packed-manifest.mjs')], client);
    run('npm', ['pack', '--silent', '--pack-destination', folder], client);
    run(python, ['-m', 'build', '--no-isolation', '--wheel', '--outdir', folder], wheel);
    cpSync(join(ROOT, 'dist/sbom.cdx.json'), join(folder, 'sbom.cdx.json'));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = 'release', python] = process.argv;
  packRelease(resolve(folder), python);
  process.stdout.write(`${readdirSync(folder).sort().join('\n')}\n`);
}
