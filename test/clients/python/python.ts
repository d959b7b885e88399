import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openService } from '../live.ts';
import { ensure, FOLDER } from '../tools.ts';

const execute = promisify(execFile);
/** Debian's, which has its packages. */
export const PYTHON = '/usr/bin/python3';
const MODULES = ['httpx', 'build', 'setuptools', 'wheel', 'venv', 'ensurepip', 'mypy'];
const PACKAGES = ['python3-httpx', 'python3-build', 'python3-setuptools', 'python3-wheel', 'python3-venv', 'mypy'];
const TOUR = resolve(FOLDER, 'python', 'tour.py');

/** Installs what builds and checks the Python client, where it is missing. */
export function ensurePython(): Promise<void> {
  return ensure([PYTHON, '-c', `import ${MODULES.join(', ')}`], PACKAGES);
}

/** Builds the wheel of the Python client, installs it into a folder of its own, checks a use of it by types, and runs that against a service. */
export async function tryPython(own: string): Promise<void> {
  await ensurePython();
  const [source, built, venv] = ['python', 'wheel', 'venv'].map((name) => join(own, name)) as [string, string, string];
  cpSync('packages/python', source, { recursive: true });
  const python = (program: string, ...words: string[]) => execute(program, words, { cwd: source, maxBuffer: 1e8 });
  await python(PYTHON, '-m', 'build', '--no-isolation', '--wheel', '--outdir', built);
  const [wheel = assert.fail('There is no wheel')] = readdirSync(built);
  assert.match(wheel, /^orgdesk_client-\d+\.\d+\.\d+(rc\d+)?-py3-none-any\.whl$/);
  await python(PYTHON, '-m', 'venv', '--system-site-packages', venv);
  const program = join(venv, 'bin/python');
  await python(program, '-m', 'pip', 'install', '--no-index', '--no-deps', join(built, wheel));
  // From another folder: that of the sources is not the package that was installed.
  const { stdout } = await execute(
    PYTHON,
    ['-m', 'mypy', '--strict', '--python-executable', program, '-p', 'orgdesk_client'],
    {
      cwd: own,
    },
  );
  assert.match(stdout, /^Success/);
  await execute(PYTHON, ['-m', 'mypy', '--strict', '--python-executable', program, TOUR], { cwd: own });
  const { api, address, email, token, companyId } = await openService();
  await using _ = api;
  const toured = await execute(program, ['-W', 'error', TOUR, address, token, companyId, email], { cwd: own });
  process.stdout.write(`${wheel}: built, installed, checked by mypy --strict; ${toured.stdout}`);
}
