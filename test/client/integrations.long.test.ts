import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '../../src/client/client.ts';
import type { Scope } from '../../src/entities/api-key.ts';
import { newSecret, signedHeaders } from '../../src/features/webhooks/messages.ts';
import { compileProgram } from '../support/command-line.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';
import { serve } from './served.ts';

const ACME = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';
const served = await serve({}, openDemoDatabase);
const admin = await served.clientOf('admin@acme.example');
const staff = await served.clientOf('super.admin@orgdesk.example');
const project = mkdtempSync(join(tmpdir(), 'orgdesk-integrations-'));
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(project, { recursive: true, force: true, maxRetries: 5 });
});
before(() => {
  const program = process.env.TEST_PROGRAM ?? join(project, 'program');
  if (!existsSync(program)) compileProgram(program);
  mkdirSync(join(project, 'node_modules'));
  cpSync(join(program, 'client-package'), join(project, 'node_modules/orgdesk-client'), { recursive: true });
  const page = readFileSync('docs/client.md', 'utf8');
  for (const [, text = '', file = ''] of page.matchAll(/^```js\n(\/\/ ([\w.]+)[\s\S]*?)^```/gm)) {
    writeFileSync(join(project, file), text);
  }
});

/** The variables of a program: a key of a company with these scopes. */
async function environment(scopes: Scope[], companyId = ACME): Promise<NodeJS.ProcessEnv> {
  const { data } = await staff.post('/api/api-keys/create', { name: 'Integration', scopes, companyId });
  return { PATH: process.env.PATH, ORGDESK_URL: served.baseUrl, ORGDESK_KEY: data.key, COMPANY_ID: companyId };
}

async function run(env: NodeJS.ProcessEnv, program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: project, env });
  return stdout;
}

describe('the integrations of the documentation', () => {
  it('hr.mjs of the documentation adds, changes and deactivates people according to the HR file', async () => {
    const { data: company } = await staff.post('/api/companies/create', {
      ...{ name: 'Initech', legalName: 'Initech', gstin: 'INITECH-1', email: 'office@initech.example' },
    });
    const env = await environment(['users.read', 'users.write'], company.id);
    const person = (number: string, lastName: string) => ({
      employeeNumber: number,
      email: `${number}@hr.example`,
      firstName: 'Asha',
      lastName,
    });
    const nightly = (...people: object[]) => {
      writeFileSync(join(project, 'people.json'), JSON.stringify(people));
      return run(env, 'hr.mjs', 'people.json');
    };
    const [ana, ben, cem] = [person('N-1', 'Rao'), person('N-2', 'Das'), person('N-3', 'Lee')];
    assert.match(await nightly(ana, ben), /^2 added, \d+ changed$/m);
    assert.equal(await nightly(ana, ben), '0 added, 0 changed\n');
    assert.equal(await nightly({ ...ana, lastName: 'Rao-Iyer' }, cem), '1 added, 2 changed\n');
    const stateOf = async (employeeNumber: string) => {
      const { data } = await staff.get('/api/users/list', { companyId: company.id, employeeNumber });
      return data.map(({ lastName, active }) => [lastName, active]);
    };
    assert.deepEqual(await stateOf('N-1'), [['Rao-Iyer', true]]);
    assert.deepEqual(await stateOf('N-2'), [['Das', false]]);
    assert.equal(await nightly(ana, ben, cem), '0 added, 2 changed\n');
    assert.deepEqual(await stateOf('N-2'), [['Das', true]]);
  });

  it('receiver.mjs of the documentation accepts a signed message once, and returns 400 for another', async () => {
    const secret = newSecret();
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' };
    const child = spawn(process.execPath, ['receiver.mjs'], { cwd: project, env });
    try {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      await waitUntil('a port', async () => /port \d+\n/.test(said));
      const url = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}/`;
      const body = JSON.stringify({
        type: 'user.changed',
        timestamp: new Date().toISOString(),
        data: { entityId: 'u1' },
      });
      const headers = signedHeaders('msg_1', Math.floor(Date.now() / 1000), body, [secret]);
      const send = async (more: Record<string, string> = {}) =>
        (await fetch(url, { method: 'POST', body, headers: { ...headers, ...more } })).status;
      assert.deepEqual([await send(), await send(), await send({ 'webhook-id': 'msg_2' })], [200, 200, 400]);
      assert.equal(said.match(/user\.changed u1/g)?.length, 1);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('mirror.mjs of the documentation loses nobody while people and departments change', async () => {
    const mirror = join(project, 'mirror.json');
    const env = {
      ...(await environment(['users.read', 'departments.read', 'events.read'])),
      ...{ MIRROR: mirror, ONCE: '1', PAGE: '7' },
    };
    const add = async (name: string) => {
      const { data } = await admin.post('/api/departments/create', { companyId: ACME, name, costCode: randomUUID() });
      return data.id;
    };
    const present = async () => {
      const all: Record<string, Record<string, string>> = { user: {}, department: {} };
      for await (const { id, firstName, lastName } of admin.list('/api/users/list', { companyId: ACME })) {
        all.user = { ...all.user, [id]: `${firstName} ${lastName}` };
      }
      for await (const { id, name } of admin.list('/api/departments/list', { companyId: ACME })) {
        all.department = { ...all.department, [id]: name };
      }
      return all;
    };
    const doomed = await Promise.all(Array.from({ length: 30 }, (_, nth) => add(`Doomed ${nth}`)));
    const people = Object.keys((await present()).user ?? {});
    let reads = 0;
    // Between the pages that the program reads somebody changes what is before, in, and after them.
    served.api.app.server.prependListener('request', ({ url = '' }) => {
      if (/\/(?:users|departments)\/list/.test(url) && !url.includes('limit=100')) reads += 1;
    });
    let isOver = false;
    const changes = (async () => {
      for (let round = 0; !isOver && round < 60; round++) {
        const seen = reads;
        await waitUntil('the next page', async () => isOver || reads > seen);
        const id = people[(round * 7) % people.length] ?? '';
        await admin.post('/api/users/update', { id, firstName: round % 2 ? 'Aaron' : 'Zoe' });
        const gone = doomed.pop();
        if (gone) await admin.post('/api/departments/delete', { id: gone });
        await add(round % 2 ? `Aa ${round}` : `Zz ${round}`);
      }
    })();
    await run(env, 'mirror.mjs');
    isOver = true;
    await changes;
    assert.ok(reads > 10, `${reads} pages were read`);
    // What changed after its last look comes by the cursor that it has kept.
    await run(env, 'mirror.mjs');
    const { cursor, ...mirrored } = JSON.parse(readFileSync(mirror, 'utf8'));
    assert.ok(cursor);
    assert.deepEqual(mirrored, await present());
  });

  it('booking.mjs of the documentation evaluates, records a booking once and adds up the amounts', async () => {
    const env = await environment(['policies.evaluate', 'bookings.write', 'bookings.read']);
    const name = `Traveller ${randomUUID()}`;
    const { data: policy } = await admin.post('/api/approval-policies/create', {
      companyId: ACME,
      name,
      autoApprovalLimit: '100.00',
      levels: [{ level: 1, roleRequired: 'CORPORATE_ADMIN', minAmount: '0.00' }],
      scope: { priority: 1 },
    });
    assert.ok(policy.id);
    const { data: band } = await admin.post('/api/bands/create', {
      companyId: ACME,
      name,
      code: randomUUID().slice(0, 8),
      autoApprovalLimit: '100.00',
    });
    const { data: person } = await admin.post('/api/users/create', {
      companyId: ACME,
      email: `${randomUUID()}@travel.example`,
      firstName: 'Priya',
      lastName: 'Das',
      bandId: band.id,
    });
    const book = (amount: string, id: string) => run(env, 'booking.mjs', person.id, amount, id);
    assert.equal(
      await book('40.10', 'BK-1'),
      'recorded: 1 added, 0 changed, 0 unchanged\nbooked by this person: 40.10\n',
    );
    assert.equal(
      await book('40.10', 'BK-1'),
      'recorded: 0 added, 0 changed, 1 unchanged\nbooked by this person: 40.10\n',
    );
    assert.match(await book('0.95', 'BK-2'), /booked by this person: 41\.05\n$/);
    assert.match(
      await book('5000.00', 'BK-3'),
      /^(?:APPROVAL_NEEDED|NOBODY_CAN_APPROVE): .*\nbooked by this person: 41\.05\n$/,
    );
  });

  it('cities.mjs of the documentation shows the cities for the last typed text', async () => {
    const { completeCities } = (await import(pathToFileURL(join(project, 'cities.mjs')).href)) as {
      completeCities(input: EventTarget & { value: string }, show: (names: string[]) => void, options: object): void;
    };
    const input = Object.assign(new EventTarget(), { value: '' });
    const shown: string[][] = [];
    completeCities(input, (names) => shown.push(names), { baseUrl: served.baseUrl, pause: 10 });
    const { data: cities } = await createClient({ baseUrl: served.baseUrl }).get('/api/cities/list', {
      isPaginationNeeded: true,
      limit: 1,
    });
    const name = cities[0]?.name ?? assert.fail('no city');
    for (const value of [name.slice(0, 1), name]) {
      input.value = value;
      input.dispatchEvent(new Event('input'));
    }
    await waitUntil('an answer', async () => shown.length > 0);
    assert.ok(shown.at(-1)?.[0]?.startsWith(`${name}, `), JSON.stringify(shown));
    assert.equal(shown.length, 1);
    input.value = ' ';
    input.dispatchEvent(new Event('input'));
    assert.deepEqual(shown.at(-1), []);
  });
});
