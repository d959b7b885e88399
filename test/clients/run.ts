import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode, npm } from '../node/installed-program.ts';
import { compileProgram } from '../support/command-line.ts';
import { readByClients, tour } from './live.ts';
import { tryPerl } from './perl.ts';
import { tryPython } from './python/python.ts';
import { CONTRACT, FOLDER, GENERATED, outputOf, packageOf, run } from './tools.ts';

/*
 * Lints openapi.json by all rules of Spectral and OWASP, makes a client from it with each of the generators that people use, at its defaults,
 * and compiles it under `strict` with a use in which a wrong role does not compile. The uses read a service that listens; newman sends the
 * converted collection through Prism. Packs orgdesk-client and installs it, and its wheel for Python. Ends with 1 if one does not hold.
 */

/** The version that some of them need at least. */
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
/** The zod schemas of this one read answers of the service. */
const ZOD = ['--input', CONTRACT, '--output', 'generated/orval-zod/client.ts', '--client', 'zod'];
const SPECTRAL = '@stoplight/spectral-cli';

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
  process.stdout.write(`${SPECTRAL} ${packageOf(SPECTRAL).version} with the rules of OWASP: finds nothing\n`);
  rmSync(GENERATED, { recursive: true, force: true });
  for (const [name, words] of Object.entries(GENERATORS)) await run(node, name, words);
  await run(node, 'orval', ZOD);
  const uses = readdirSync(join(FOLDER, 'uses')).map((use) => use.replace('.ts', ''));
  assert.deepEqual(uses.sort(), Object.keys(GENERATORS).map(shortName).sort(), 'Each generator has one use');
  assert.equal(await outputOf(run(node, 'typescript', ['--project', '.'])), '');
  for (const name of Object.keys(GENERATORS)) process.stdout.write(`${name} ${packageOf(name).version}: compiles\n`);
  await readByClients(uses);
  await tour(node);
  await installPackage();
  await tryPython(own);
  await tryPerl(own);
} finally {
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}

function shortName(name: string): string {
  return { '@hey-api/openapi-ts': 'hey-api', '@kubb/cli': 'kubb' }[name] ?? name;
}

/** Packs orgdesk-client as the build makes it, installs the file in an empty folder, and imports it as an ES module and as CommonJS. */
async function installPackage(): Promise<void> {
  const [program, project] = [join(own, 'program'), join(own, 'project')];
  compileProgram(program);
  const packed = JSON.parse(
    (await npm(process.execPath, ['pack', '--json', '--pack-destination', own], join(program, 'client-package')))
      .stdout,
  ) as [{ filename: string; version: string; size: number; files: { path: string }[] }];
  const [{ filename, version, size, files }] = packed;
  assert.ok(files.some(({ path }) => path === 'LICENSES.txt'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
  await npm(process.execPath, ['install', '--no-audit', '--no-fund', join(own, filename)], project);
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['orgdesk-client'], 'It has no dependencies');
  const uses = {
    'use.mjs': `import { createClient } from 'orgdesk-client';\nimport { verifyWebhook } from 'orgdesk-client/webhooks';\n`,
    'use.cjs': `const { createClient } = require('orgdesk-client');\nconst { verifyWebhook } = require('orgdesk-client/webhooks');\n`,
  };
  for (const [name, text] of Object.entries(uses)) {
    writeFileSync(join(project, name), `${text}console.log(typeof createClient, typeof verifyWebhook);\n`);
    const printed = execFileSync(process.execPath, ['--throw-deprecation', name], { cwd: project, encoding: 'utf8' });
    assert.equal(printed, 'function function\n', name);
  }
  process.stdout.write(
    `orgdesk-client ${version}: ${size} bytes packed, installed without dependencies, imported twice\n`,
  );
}
