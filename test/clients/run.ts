import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installNode, npm } from '../node/installed-program.ts';

/*
 * Lints openapi.json by all rules of Spectral, makes a client from it with each of the generators that people use, as each does it by itself,
 * and looks whether it compiles under `strict`, with a use of it in which a wrong role does not. Ends with 1 where one does not hold.
 */
const FOLDER = join('test', 'clients');
const GENERATED = join(FOLDER, 'generated');
const CONTRACT = '../../openapi.json';
/** Where some of them run no more on an older one. */
const NODE = '24';

/** By the name of the package, the words with which its command makes `generated/NAME`. */
const GENERATORS: Readonly<Record<string, readonly string[]>> = {
  '@hey-api/openapi-ts': ['-i', CONTRACT, '-o', 'generated/hey-api', '--no-log-file'],
  orval: ['--input', CONTRACT, '--output', 'generated/orval/client.ts', '--client', 'fetch'],
  'openapi-typescript': [CONTRACT, '--output', 'generated/openapi-typescript/schema.ts'],
  'swagger-typescript-api': ['generate', '--path', CONTRACT, '--output', 'generated/swagger-typescript-api'],
};

const SPECTRAL = '@stoplight/spectral-cli';

const execute = promisify(execFile);
const own = mkdtempSync(join(tmpdir(), 'orgdesk-clients-'));
try {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > 22 || (major === 22 && minor >= 18);
  const node = isEnough ? process.execPath : await installNode(NODE, own);
  await npm(node, ['ci', '--no-audit', '--no-fund'], FOLDER);
  const findings = await outputOf(
    run(node, SPECTRAL, ['lint', CONTRACT, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', '--quiet']),
  );
  assert.equal(findings, '');
  process.stdout.write(`${SPECTRAL} ${packageOf(SPECTRAL).version}: no rule finds anything\n`);
  rmSync(GENERATED, { recursive: true, force: true });
  for (const [name, words] of Object.entries(GENERATORS)) await run(node, name, words);
  const uses = readdirSync(join(FOLDER, 'uses'));
  assert.deepEqual(
    uses.map((use) => use.replace('.ts', '')).sort(),
    Object.keys(GENERATORS).map(shortName).sort(),
    'Each generator has one use',
  );
  assert.equal(await outputOf(run(node, 'typescript', ['--project', '.'])), '');
  for (const name of Object.keys(GENERATORS)) {
    process.stdout.write(`${name} ${packageOf(name).version}: compiles, and a wrong role does not\n`);
  }
} finally {
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}

function shortName(name: string): string {
  return name === '@hey-api/openapi-ts' ? 'hey-api' : name;
}

function packageOf(name: string): { version: string; bin: string | Record<string, string> } {
  return JSON.parse(readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8'));
}

/** What a command has printed that failed, and nothing of one that has not. */
function outputOf(running: Promise<void>): Promise<string> {
  return running.then(
    () => '',
    ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
  );
}

/** Runs the command of a package. */
async function run(node: string, name: string, words: readonly string[]): Promise<void> {
  const { bin } = packageOf(name);
  const file = typeof bin === 'string' ? bin : (bin.tsc ?? Object.values(bin)[0] ?? '');
  await execute(node, [join('node_modules', name, file), ...words], { cwd: FOLDER, maxBuffer: 1e8 });
}
