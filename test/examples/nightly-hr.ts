import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clients, EXAMPLES, run, say } from './programs.ts';

const PROGRAM = join(EXAMPLES, 'nightly-hr/import.mjs');
const FIRST = join(EXAMPLES, 'nightly-hr/people-2026-11-27.csv');

export async function tryNightly({ staff, environment, keyed }: Clients): Promise<void> {
  const { data: company } = await staff.post('/api/companies/create', {
    ...{ name: 'Initech', legalName: 'Initech', gstin: 'INITECH-1', email: 'office@initech.example', country: 'IN' },
  });
  const admin = await keyed(['organization.write'], company.id);
  for (const name of ['Finance', 'Legal']) {
    await admin.post('/api/departments/create', { companyId: company.id, name, costCode: name });
  }
  const env = await environment(['users.write'], company.id);
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-nightly-'));
  const night = (day: number, text: string) => {
    const file = join(folder, `people-2026-11-${day}.csv`);
    writeFileSync(file, text);
    return run(env, PROGRAM, file);
  };
  const peopleNow = async () => {
    const { data } = await staff.get('/api/users/list', { companyId: company.id, activeOnly: true });
    return data.map(({ lastName }) => lastName).sort();
  };
  try {
    const planned = await run(env, PROGRAM, FIRST, '--plan');
    assert.match(planned.stdout, /^line 2: mira\.sen@hr\.example added: /m);
    assert.deepEqual([planned.code, planned.stderr, await peopleNow()], [0, '', []]);
    assert.match((await run(env, PROGRAM, FIRST)).stdout, /^3 added, 0 changed, 0 left$/m);
    const [head = '', mira = '', jonas = '', lucia = ''] = readFileSync(FIRST, 'utf8').split('\n');
    const second = [head, mira, jonas.replace('Weber', 'Weber-Lang'), ''].join('\n');
    const changed = await night(28, second);
    assert.match(changed.stdout, /lastName Weber → Weber-Lang/);
    assert.match(changed.stdout, /^lucia\.rojas@hr\.example leaves$/m);
    assert.deepEqual(await peopleNow(), ['Sen', 'Weber-Lang']);
    const broken = await night(29, [head, mira, jonas, lucia.replace('@', ' at '), ''].join('\n'));
    assert.deepEqual([broken.code, /Nothing was written/.test(broken.stderr)], [1, true]);
    const empty = await night(30, [head, mira.replace('H-1001', 'H-9').replace('mira.sen', 'else'), ''].join('\n'));
    assert.deepEqual([empty.code, await peopleNow()], [0, ['Sen']]);
    assert.notEqual((await run(env, PROGRAM, FIRST)).code, 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
  say(
    'nightly-hr: shows its plan, imports people, changes and leavers, and writes nothing from a file that is wrong or old',
  );
}
