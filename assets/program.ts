import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = { cli: 'src/cli.ts', 'geography-thread': 'src/features/geography/geography-thread.ts' };
/** PGlite stays a package of its own: it loads its files by their places. tsx is of sources alone. */
const EXTERNAL = [/^@electric-sql\/pglite/, /^tsx/, 'pg-native'];

const [, , folder = join(ROOT, 'dist')] = process.argv;
await buildProgram(resolve(folder));

/**
 * Builds the program into a folder: the service with what it uses of packages, and their licences. Whoever installs it gets the very packages that
 * its tests ran with. Types are not checked.
 */
async function buildProgram(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name !== 'web') rmSync(join(folder, name), { recursive: true });
  }
  const bundle = await rolldown({
    ...{ input: ENTRIES, cwd: ROOT, platform: 'node', external: EXTERNAL },
    transform: { target: 'node20.19' },
  });
  const files = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
  const { output } = await bundle.write({ dir: folder, format: 'esm', ...files });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), licences(modules));
}

function licences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const each = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter(
      (file) => /^(?:licen[cs]e|notice|copying)/i.test(file) && !/\.js$/.test(file),
    );
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return each.join(`\n${'-'.repeat(80)}\n\n`);
}
