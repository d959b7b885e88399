import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { foldersOf } from '../assets/packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'web');
const OUTPUT = join(ROOT, 'dist/web');
/** The file with the hash of the sources of the last build. */
const STAMP = join(OUTPUT, '.built-from');
/** The sources of the build: the console's own files, the packages, and the shared files of the service. */
const SOURCES = [
  WEB,
  join(ROOT, 'src/lib'),
  join(ROOT, 'src/entities'),
  join(ROOT, 'src/import/tables'),
  join(ROOT, 'assets/packages.ts'),
  join(ROOT, 'package-lock.json'),
  join(ROOT, 'package.json'),
];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Makes V8 compile the whole file on load, in a background thread. It has to be the first line; other engines ignore it. */
const COMPILE_EAGERLY = Buffer.from('//# allFunctionsCalledOnLoad\n');
const COMPRESSED = ['.js', '.css', '.svg'];
/** Maximum bytes of script, compressed by brotli, of the landing page, and of any page without a chunk of its own, in English. */
const MAX_SCRIPT = { first: 120_000, pages: 250_000 };

/** Modules with chunks of their own: most visits do not need them. */
const LAZY =
  /src\/import\/tables\/|web\/src\/(import\/|pages\/(import-|use-import|director|group-mappings|moves|mails|connections|connection-(form|domains|sharing))|session\/provider-sign-in|catalogues\/)|oauth4webapi|fflate/;
/** Few chunks compress better than many: what the first page loads, and all other pages. */
const CHUNKS = [
  { name: 'first', tags: ['$initial' as const], priority: 1 },
  { name: 'pages', test: (id: string) => !LAZY.test(id) },
];

/** Builds the console into `dist/web`, with compressed copies of its files; does nothing if the sources are unchanged. */
async function main(): Promise<void> {
  const source = hashOf(SOURCES.flatMap(filesIn));
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === source) return;
  // Loaded lazily: it takes a second, and usually there is nothing to build.
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: WEB,
    // Scripts find each other wherever a proxy shows them; the service completes the addresses in the page.
    base: './',
    logLevel: 'warn',
    define: { VERSION: JSON.stringify(version) },
    build: {
      outDir: OUTPUT,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Components carry 'use client' directives, which mean nothing here.
      rolldownOptions: {
        output: { codeSplitting: { groups: CHUNKS } },
        checks: { pluginTimings: false },
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const modules = outputs.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(OUTPUT, '.packages.json'), JSON.stringify(foldersOf(modules)));
  const script = finishFiles();
  for (const part of ['first', 'pages'] as const) {
    if (script[part] > MAX_SCRIPT[part])
      throw new Error(
        `The console's script (${part}) is ${script[part]} bytes, compressed: more than ${MAX_SCRIPT[part]}`,
      );
  }
  writeFileSync(STAMP, source);
}

/**
 * Compresses the files, and adds the compile hint to the scripts of the first page.
 *
 * @returns bytes of the scripts in the page itself, and of these with those of the other pages, compressed by brotli
 */
function finishFiles(): typeof MAX_SCRIPT {
  const script = { first: 0, pages: 0 };
  const page = withFrameFirst(readFileSync(join(OUTPUT, 'index.html'), 'utf8'));
  writeFileSync(join(OUTPUT, 'index.html'), page);
  for (const file of filesIn(OUTPUT).filter((name) => COMPRESSED.includes(extname(name)))) {
    const isFirst = extname(file) === '.js' && page.includes(basename(file));
    const content = Buffer.concat([isFirst ? COMPILE_EAGERLY : Buffer.of(), readFileSync(file)]);
    if (isFirst) writeFileSync(file, content);
    const brotli = brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotli);
    if (isFirst) script.first += brotli.length;
    if (isFirst || basename(file).startsWith('pages-')) script.pages += brotli.length;
  }
  return script;
}

/** Moves the links to style sheets behind the frame of a page, which is drawn before they have come. */
function withFrameFirst(page: string): string {
  const links = page.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const rest = links.reduce((text, link) => text.replace(link, ''), page);
  return rest.replace('<div id="root">', `${links.join('')}\n<div id="root">`);
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
