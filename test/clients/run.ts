import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installNode, npm } from '../node/installed-program.ts';
import { buildTestApp } from '../support/build-test-app.ts';

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
  oazapfts: [CONTRACT, 'generated/oazapfts.ts'],
  'openapi-zod-client': [CONTRACT, '-o', 'generated/openapi-zod-client.ts'],
  '@kubb/cli': ['generate', '--config', 'kubb.config.mjs'],
};
/** Of these it is enough that all of it compiles. */
const WITHOUT_USE = ['openapi-zod-client', '@kubb/cli'];
/** The zod schemas of this one read answers of the service. */
const ZOD = ['--input', CONTRACT, '--output', 'generated/orval-zod/client.ts', '--client', 'zod'];
const READ = {
  ListUsersResponse: '/api/users/list?limit=100&companyId=b3cb9b86-e923-4834-bb80-42f6e9b215da',
  ListEventsResponse: '/api/events/list?limit=1000',
  ListAuditTrailResponse: '/api/audit/list?limit=100',
  ListCitiesResponse: '/api/cities/list?isPaginationNeeded=true',
  GetProfileResponse: '/api/users/profile',
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
  await run(node, 'orval', ZOD);
  const uses = readdirSync(join(FOLDER, 'uses'));
  assert.deepEqual(
    uses.map((use) => use.replace('.ts', '')).sort(),
    Object.keys(GENERATORS)
      .filter((name) => !WITHOUT_USE.includes(name))
      .map(shortName)
      .sort(),
    'Each generator has one use',
  );
  assert.equal(await outputOf(run(node, 'typescript', ['--project', '.'])), '');
  for (const name of Object.keys(GENERATORS)) {
    const rest = WITHOUT_USE.includes(name) ? '' : ', and a wrong role does not';
    process.stdout.write(`${name} ${packageOf(name).version}: compiles${rest}\n`);
  }
  await readService();
} finally {
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}

/** Reads answers of the service by the schemas of zod. */
async function readService(): Promise<void> {
  const schemas = (await import(pathToFileURL(resolve(GENERATED, 'orval-zod/client.ts')).href)) as Record<
    string,
    { parse(answer: unknown): { data: unknown } }
  >;
  await using api = await buildTestApp();
  for (const [name, url] of Object.entries(READ)) {
    const response = await api.send({ url, as: 'super.admin@orgdesk.example' });
    assert.equal(response.statusCode, 200, response.body);
    assert.ok((schemas[name] ?? assert.fail(name)).parse(response.json()).data, name);
  }
  process.stdout.write(`orval with zod: reads ${Object.keys(READ).length} answers of the service\n`);
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
