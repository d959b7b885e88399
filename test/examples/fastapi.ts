import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ensure } from '../clients/tools.ts';
import { freePort } from '../support/free-port.ts';
import { type Clients, EXAMPLES, open, say } from './programs.ts';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const FOLDER = join(EXAMPLES, 'fastapi');

export async function tryFastapi({ environment }: Clients): Promise<void> {
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', join(FOLDER, 'app.py')]);
  try {
    await ensure(
      [PYTHON, '-c', 'import fastapi, uvicorn, httpx'],
      ['python3-fastapi', 'python3-uvicorn', 'python3-httpx'],
    );
  } catch {
    return say('fastapi: FastAPI is not installed, and cannot be: the program was only read');
  }
  const env = {
    ...(await environment(['users.read', 'policies.evaluate', 'bookings.write'])),
    PYTHONPATH: resolve('packages/python/src'),
  };
  const words = ['-m', 'uvicorn', '--app-dir', FOLDER, '--port', String(await freePort()), 'app:app'];
  await using app = await open({ ...env, PYTHONDONTWRITEBYTECODE: '1' }, PYTHON, ...words);
  const plan = async (id: string, email: string, amount: string) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await app.send('/trips', {
      method: 'POST',
      headers,
      body: JSON.stringify({ id, email, amount }),
    });
    return { status, ...(body as { decision: string; approvers: string[][]; errors: { field: string }[] }) };
  };
  const small = await plan('PY-1', 'employee@acme.example', '100');
  assert.deepEqual([small.status, small.decision, small.approvers], [200, 'AUTO_APPROVED', []]);
  const large = await plan('PY-2', 'employee@acme.example', '40000');
  assert.equal(large.decision, 'APPROVAL_NEEDED');
  assert.ok(large.approvers[0]?.[0]);
  assert.equal((await plan('PY-3', 'nobody@acme.example', '1')).decision, 'UNKNOWN_PERSON');
  const wrong = await plan('PY-4', 'employee@acme.example', 'much');
  assert.deepEqual([wrong.status, wrong.errors[0]?.field], [400, 'amount']);
  say('fastapi: books what nobody has to approve, names the approvers of the rest, and passes on refusals');
}
