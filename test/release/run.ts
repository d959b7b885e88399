import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { packRelease } from '../../assets/release.ts';
import { ensurePython, PYTHON } from '../clients/python/python.ts';
import { InstalledProgram, installNode, npm } from '../node/installed-program.ts';
import { checkTour, tourOfTheReadme } from '../support/tour.ts';
import { LANDED_BACKUP } from '../upgrade/landed.ts';
import { hasReleaseBefore, openReleaseBefore } from '../upgrade/release-before.ts';
import { startIndex, startRegistry } from './registry.ts';

/*
 * Rehearses a release on this machine alone: packs what it publishes, publishes that to a registry on loopback, and installs it by name in an
 * empty folder under each Node. Walks the tour of the README there, brings the data of the previous release up to date, and installs the
 * Python client from an index on loopback. Needs the built program. Ends with 1 where something is not as it should be.
 */
const VERSIONS = ['20.19', '22', '24'];
const VERSION = process.env.npm_package_version ?? assert.fail('to be run by npm: npm run long -- release');
/** As .github/workflows/release.yml tags it. */
const TAG = VERSION.includes('-') ? 'next' : 'latest';
/** Who publishes sets the address; here nobody has this one. */
const ADDRESS = 'https://repository.example/owner/orgdesk';

const execute = promisify(execFile);
const { positionals } = parseArgs({ allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-rehearsal-'));
/** The data folder that the previous release has left. */
const LEFT = join(folder, 'before');
try {
  await ensurePython();
  const packed = join(folder, 'packed');
  process.env.REPOSITORY_URL = ADDRESS;
  packRelease(packed, PYTHON);
  const { stdout } = await npm(process.execPath, ['config', 'get', 'registry'], process.cwd());
  await using registry = await startRegistry(join(folder, 'registry'), stdout.trim());
  for (const file of readdirSync(packed).filter((name) => name.endsWith('.tgz')))
    await npm(process.execPath, [...registry.options, 'publish', '--tag', TAG, join(packed, file)], folder);
  say('orgdesk and orgdesk-client are published to a registry on loopback');

  if (hasReleaseBefore()) await leaveData();
  const versions = positionals.length > 0 ? positionals : VERSIONS;
  for (const version of versions) await tryByName(version, registry.options);
  await using index = await startIndex(packed, 'orgdesk-client');
  await installPythonClient(index.address);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Does what the README says to somebody who has a Node and npm, in an empty folder. */
async function tryByName(version: string, options: readonly string[]): Promise<void> {
  const began = performance.now();
  const node = await installNode(version, join(folder, `binary-${version}`));
  const own = join(folder, `node-${version}`);
  mkdirSync(own);
  const byName = (...words: string[]) => npm(node, [...options, ...words], own);
  const { stdout: shown } = await byName('exec', '--yes', `orgdesk@${TAG}`, '--', '--version');
  assert.equal(shown, `${VERSION}\n`);

  await byName('install', '--no-audit', '--no-fund', `orgdesk@${TAG}`, `orgdesk-client@${TAG}`);
  const manifest = JSON.parse(readFileSync(join(own, 'node_modules/orgdesk/package.json'), 'utf8'));
  assert.equal(manifest.repository.url, `git+${ADDRESS}.git`);
  assert.equal(manifest.scripts, undefined);
  symlinkSync('node_modules/.bin', join(own, 'bin'));
  const program = new InstalledProgram(node, own, { PORT: '0' });
  const service = await program.serve();
  try {
    const commands = tourOfTheReadme(service.address);
    const { stdout, stderr } = await program.shell(commands);
    checkTour(commands, stdout);
    assert.equal(stderr, '');
    writeFileSync(
      join(own, 'use.mjs'),
      `import { createClient } from 'orgdesk-client';
       const { data } = await createClient({ baseUrl: '${service.address}' }).get('/api/countries/list');
       console.log(data.length);`,
    );
    assert.deepEqual(await program.shell('node use.mjs'), { stdout: '250\n', stderr: '' });
  } finally {
    assert.equal((await service.stop('SIGTERM')).code, 0, service.stderr);
  }
  const { stdout: running } = await program.shell('node --version');
  const upgraded = await upgrade(node, own);
  const took = ((performance.now() - began) / 1000).toFixed(0);
  say(`Node ${running.trim()}: installed by name, the tour as it should be; ${upgraded}; ${took} s`);
}

/** Runs the commands of docs/upgrade.md on what the previous release has left: its data folder where the history has that release, otherwise a backup of its demo. */
async function upgrade(node: string, own: string): Promise<string> {
  const data = join(own, 'upgraded');
  const settings = { PORT: '0', DATA_DIR: data };
  const program = new InstalledProgram(node, own, settings);
  if (hasReleaseBefore()) cpSync(LEFT, data, { recursive: true });
  else await program.shell(`orgdesk restore '${LANDED_BACKUP}'`);
  const page = readFileSync('docs/upgrade.md', 'utf8');
  const steps = [...page.matchAll(/^ +```sh\n(.*?)^ +```/gms)].map(([, block]) => block);
  assert.ok(steps.length > 1);
  await program.shell(steps.join(''));
  const service = await program.serve();
  try {
    const { stdout } = await program.shell(
      `TOKEN=$(orgdesk token employee@acme.example)
       curl -fsS -H "Authorization: Bearer $TOKEN" ${service.address}/api/users/profile`,
    );
    assert.equal(JSON.parse(stdout).data.email, 'employee@acme.example');
  } finally {
    assert.equal((await service.stop('SIGTERM')).code, 0, service.stderr);
  }
  return hasReleaseBefore() ? 'a data folder of 0.3.0 upgraded' : 'a backup of 0.3.0 restored';
}

/** Serves the demo by the previous release once, for all of them. */
async function leaveData(): Promise<void> {
  using before = openReleaseBefore();
  await using _ = await before.serve({ DATA_DIR: LEFT, DEMO_DATA: 'true' });
}

async function installPythonClient(index: string): Promise<void> {
  const venv = join(folder, 'venv');
  await execute(PYTHON, ['-m', 'venv', '--system-site-packages', venv]);
  const python = join(venv, 'bin/python');
  // Debian has its one dependency.
  await execute(python, ['-m', 'pip', 'install', '--index-url', index, '--no-deps', 'orgdesk-client'], { cwd: folder });
  const { stdout } = await execute(
    python,
    ['-c', 'from importlib.metadata import version; import orgdesk_client; print(version("orgdesk-client"))'],
    { cwd: folder },
  );
  // As Python writes a version before a release (PEP 440).
  assert.equal(stdout, `${VERSION.replace('-rc.', 'rc')}\n`);
  say(`orgdesk-client ${stdout.trim()} for Python: installed by name from an index on loopback, imported`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
