import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { foldersOf } from '../assets/packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'web');
const OUTPUT = join(ROOT, 'dist/web');
/** Holds the hash of what the console was built from. */
const STAMP = join(OUTPUT, '.built-from');
/** What the console is built from: its own files, the packages, and what it takes from the service. */
const SOURCES = [
  WEB,
  join(ROOT, 'src/lib'),
  join(ROOT, 'src/entities'),
  join(ROOT, 'assets/packages.ts'),
  join(ROOT, 'package-lock.json'),
  join(ROOT, 'package.json'),
];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Tells V8 to compile the whole file as it is loaded, in a thread beside the page's; it has to be the first line. Others pass it over. */
const COMPILED_AT_ONCE = Buffer.from('//# allFunctionsCalledOnLoad\n');
const COMPRESSED = ['.js', '.css', '.svg'];
/** Bytes of script, compressed by brotli, that all pages take at most, and the first one alone. */
const MAX_SCRIPT = { all: 230_000, first: 120_000 };

/** Builds the console into `dist/web`, each file compressed beside itself; nothing where it is built from the same already. */
async function main(): Promise<void> {
  const source = hashOf(SOURCES.flatMap(filesIn));
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === source) return;
  // It takes a second to load, and mostly there is nothing to build.
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: WEB,
    logLevel: 'warn',
    define: { VERSION: JSON.stringify(version) },
    build: {
      outDir: OUTPUT,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Components say where they run, which is nowhere but in the browser here.
      rolldownOptions: {
        // What the first page loads is one file.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
        checks: {},
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const modules = outputs.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(OUTPUT, '.packages.json'), JSON.stringify(foldersOf(modules)));
  const script = finishFiles();
  for (const part of ['all', 'first'] as const) {
    if (script[part] > MAX_SCRIPT[part])
      throw new Error(
        `The console's script (${part}) is ${script[part]} bytes, compressed: more than ${MAX_SCRIPT[part]}`,
      );
  }
  writeFileSync(STAMP, source);
}

/**
 * Compresses the files; those of the first page come with a hint to compile them.
 *
 * @returns the bytes of all scripts, and of those that the page names itself, compressed by brotli
 */
function finishFiles(): typeof MAX_SCRIPT {
  const script = { all: 0, first: 0 };
  const page = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
  for (const file of filesIn(OUTPUT).filter((name) => COMPRESSED.includes(extname(name)))) {
    const isFirst = extname(file) === '.js' && page.includes(basename(file));
    const content = Buffer.concat([isFirst ? COMPILED_AT_ONCE : Buffer.of(), readFileSync(file)]);
    if (isFirst) writeFileSync(file, content);
    const brotli = brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotli);
    if (extname(file) !== '.js') continue;
    script.all += brotli.length;
    if (isFirst) script.first += brotli.length;
  }
  return script;
}

function filesIn(path: string): string[] {
  if (/\.(?:json|ts)$/.test(path)) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

await main();
