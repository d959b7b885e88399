import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_COMMANDS } from '../../src/commands/commands.ts';
import { checkTour, tourOfTheReadme } from '../support/tour.ts';
import { bytesIn, InstalledProgram, installNode, npm } from './installed-program.ts';

/*
 * Packs the program, installs the package under each Node that people have, as strictly as npm can, starts it, walks the tour of the README and
 * stops it. Ends with 1 where something is not as it should be, or anything warns.
 */
const VERSIONS = ['running', '22', '24', '26'];
const MAX_BYTES = 72_000_000;
const MAX_MILLISECONDS = 60_000;

const { positionals } = parseArgs({ allowPositionals: true });
const versions = positionals.length > 0 ? positionals : VERSIONS;
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-node-'));
try {
  await npm(process.execPath, ['pack', '--pack-destination', folder], process.cwd());
  for (const version of versions) await tryVersion(version);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function tryVersion(version: string): Promise<void> {
  const began = performance.now();
  const own = join(folder, `node-${version}`);
  const node = version === 'running' ? process.execPath : await installNode(version, join(folder, `binary-${version}`));
  mkdirSync(own);
  const tarball = join(folder, `orgdesk-${process.env.npm_package_version}.tgz`);
  const installed = await npm(node, ['install', '--engine-strict', '--global', '--prefix', own, tarball], own);
  // npm's own settings on this machine are none of ours.
  const said = `${installed.stdout}${installed.stderr}`.replaceAll(/^npm warn Unknown \w+ config .*$/gm, '');
  assert.doesNotMatch(said, /warn|deprecated/i);
  const bytes = bytesIn(join(own, 'lib'));
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes are installed`);

  const program = new InstalledProgram(node, own, { PORT: '0' });
  const { stdout: running } = await program.shell('node --version; orgdesk --version');
  assert.match(running, new RegExp(`\\n${process.env.npm_package_version}\\n$`));
  for (const { name } of ALL_COMMANDS) {
    const { stdout, stderr } = await program.shell(`orgdesk ${name} --help`);
    assert.match(stdout, new RegExp(`^Usage: orgdesk ${name}`));
    assert.equal(stderr, '');
  }

  const service = await program.serve();
  try {
    assert.doesNotMatch(service.stdout, /npm run/);
    const commands = tourOfTheReadme(service.address);
    const { stdout, stderr } = await program.shell(commands);
    checkTour(commands, stdout);
    assert.equal(stderr, '');
    for (const page of ['/', '/docs', '/docs/swagger-ui-bundle.js', '/docs/guides', '/docs/errors', '/openapi.json']) {
      await program.shell(`curl -fsS -o /dev/null ${service.address}${page}`);
    }
    const client = `import { createRequire } from 'node:module';
      const { createClient } = await import(createRequire('${own}/lib/any.js').resolve('orgdesk/client'));
      let countries = 0;
      for await (const each of createClient({ baseUrl: '${service.address}' }).list('/api/countries/list')) countries++;
      console.log(countries);`;
    assert.deepEqual(await program.shell(`node --input-type=module -e "${client}"`), { stdout: '250\n', stderr: '' });
  } finally {
    const { code, milliseconds } = await service.stop('SIGTERM');
    assert.equal(code, 0, service.stderr);
    assert.ok(milliseconds <= MAX_MILLISECONDS, `it took ${milliseconds} ms to stop`);
  }
  for (const line of service.stderr.trim().split('\n')) {
    assert.ok((JSON.parse(line) as { level: number }).level < 40, line);
  }
  const [took, megabytes] = [(performance.now() - began) / 1000, bytes / 1e6];
  process.stdout.write(
    `Node ${running.split('\n')[0]}: as it should be; ${megabytes.toFixed(1)} MB, ${took.toFixed(0)} s\n`,
  );
}
