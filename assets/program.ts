import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { billOfMaterials, foldersOf, licences, readPackage, readPackages } from './packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = {
  cli: 'src/cli.ts',
  orgdesk: 'src/orgdesk.ts',
  'pglite-thread': 'src/embedded/pglite-thread.js',
};
/** What others import: `orgdesk/client` and `orgdesk/client/webhooks`, for Node and browsers alike. */
const CLIENT = { client: 'src/client/client.ts', webhooks: 'src/client/webhooks.ts' };
/** PGlite stays a package of its own: it loads its files by their places. tsx is of sources alone. */
const EXTERNAL = [/^@electric-sql\/pglite/, /^tsx/, 'pg-native'];

const [, , folder = join(ROOT, 'dist')] = process.argv;
await buildProgram(resolve(folder));

/**
 * Builds the program into a folder: the service with what it uses of packages, their licences and the list of them. The console is built before it. Whoever installs it gets the very packages that
 * its tests ran with. Types are not checked.
 */
async function buildProgram(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name !== 'web') rmSync(join(folder, name), { recursive: true });
  }
  const modules = [
    ...(await bundle({ input: ENTRIES, platform: 'node', external: EXTERNAL }, folder)),
    ...(await bundle({ input: CLIENT, platform: 'browser' }, join(folder, 'client'))),
  ];
  const ofConsole = JSON.parse(readFileSync(join(ROOT, 'dist/web/.packages.json'), 'utf8')) as string[];
  const packages = readPackages([...foldersOf(modules), ...ofConsole]);
  writeFileSync(join(folder, 'LICENSES.txt'), licences(packages));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`);
  declareClient(join(folder, 'client'));
  cpSync(join(ROOT, 'assets/orgdesk.d.ts'), join(folder, 'orgdesk.d.ts'));
  const source = join(ROOT, 'packages/client');
  const packed = folder === join(ROOT, 'dist') ? source : join(folder, 'client-package');
  if (packed !== source) cpSync(join(source, 'package.json'), join(packed, 'package.json'));
  await buildClientPackage(join(folder, 'client'), packed);
}

/** Builds `orgdesk-client`, from the client that is built already: its modules and types, also for CommonJS. */
async function buildClientPackage(client: string, packed: string): Promise<void> {
  const target = join(packed, 'dist');
  rmSync(target, { recursive: true, force: true });
  cpSync(client, target, { recursive: true });
  const modules = await bundle({ input: CLIENT, platform: 'browser' }, target, 'cjs');
  for (const name of readdirSync(target).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(target, name), 'utf8').replaceAll(/(["']\.\/[\w-]+)\.js(["'])/g, '$1.cjs$2');
    writeFileSync(join(target, name.replace(/ts$/, 'cts')), text);
  }
  const folders = foldersOf(modules).map((each) => readPackage(join(ROOT, each)));
  writeFileSync(join(packed, 'LICENSES.txt'), licences(folders));
}

/** @returns the files that went into it */
async function bundle(options: InputOptions, dir: string, format: 'esm' | 'cjs' = 'esm'): Promise<string[]> {
  const define = { BUILD_COMMIT: JSON.stringify(commit()) };
  const built = await rolldown({ ...options, cwd: ROOT, transform: { target: 'node20.19', define } });
  const names = format === 'esm' ? '[name].js' : '[name].cjs';
  const { output } = await built.write({ dir, format, entryFileNames: names, chunkFileNames: names });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** The commit that is built: of the environment where that says so, otherwise of the clone; `unknown` where there is none. */
function commit(): string {
  if (process.env.SOURCE_COMMIT) return process.env.SOURCE_COMMIT;
  try {
    const command = ['rev-parse', '--short=12', 'HEAD'];
    return execFileSync('git', command, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

/** Writes the types of the client. They name nothing of the packages that it is made of. */
function declareClient(folder: string): void {
  const own = join(ROOT, 'src/client');
  for (const name of readdirSync(own).filter((each) => each.endsWith('.ts'))) {
    const { code, errors } = isolatedDeclarationSync(name, readFileSync(join(own, name), 'utf8'));
    if (errors.length > 0) throw new Error(`src/client/${name}: ${errors[0]?.message}`);
    writeFileSync(join(folder, name.replace(/ts$/, 'd.ts')), code.replaceAll(/(["']\.\/[\w-]+)\.ts(["'])/g, '$1.js$2'));
  }
}
