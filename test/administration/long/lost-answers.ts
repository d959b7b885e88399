import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeView } from '../../../src/audit/change-view.ts';
import type { CommandLine, Service, Settings } from '../../support/command-line.ts';
import { outcomeOf, Tally } from './outcomes.ts';

/** Milliseconds that a create takes, until one has been seen. */
const USUAL = 15;

type Fields = Record<string, unknown>;
interface Create {
  path: string;
  body: Fields & { id: string };
  /** Things that it makes, each told once in the trail. */
  made: number;
}

const ACME = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

function createOf(round: number): Create {
  const id = randomUUID();
  const person = { email: `${id}@lost.example`, firstName: 'Asha', lastName: 'Rao' };
  const own = { id, companyId: ACME, name: 'Lost' };
  const company = {
    id,
    name: 'Lost',
    legalName: 'Lost Ltd',
    gstin: id.replaceAll('-', '').slice(2),
    email: person.email,
  };
  const levels = [1, 2].map((level) => ({ level, roleRequired: 'MANAGER', minAmount: `${level}.00` }));
  const creates: Create[] = [
    { path: 'companies', body: { ...company, firstAdmin: person }, made: 7 },
    { path: 'users', body: { id, companyId: ACME, ...person, roles: ['MANAGER'] }, made: 2 },
    { path: 'departments', body: { ...own, costCode: id }, made: 1 },
    { path: 'bands', body: { ...own, code: id }, made: 1 },
    { path: 'approval-policies', body: { ...own, levels }, made: 3 },
  ];
  return creates[round % creates.length] ?? assert.fail();
}

/** Who makes all of it. */
export interface Caller {
  token: string;
}

/** The Super Admin of the demo, whom this makes a Corporate Admin of Acme. */
export async function openCaller(commandLine: CommandLine, settings: Settings, service: Service): Promise<Caller> {
  const { stdout } = await commandLine.run(['token', 'super.admin@orgdesk.example'], settings);
  const caller = { token: stdout.trimEnd() };
  const { data } = await get(service, caller, 'users/profile');
  const role = { userId: (data as { id: string }).id, companyId: ACME, role: 'CORPORATE_ADMIN' };
  assert.equal((await post(service, caller, 'users/grant-role', role, 'setup')).statusCode, 200);
  return caller;
}

/**
 * Creates something, kills the service before the answer may have come, and creates it once more at the next one: it is there once, and so in
 * the trail.
 *
 * @param round `usual`: the milliseconds that a create takes; the process ends within twice as many
 * @returns the next service, whether the first request had been written, and how long the second one took
 */
export async function loseAnswer(
  commandLine: CommandLine,
  settings: Settings,
  { service, caller, round, usual }: { service: Service; caller: Caller; round: number; usual: number },
): Promise<{ service: Service; seen: string; took: number }> {
  const { path, body, made } = createOf(round);
  const id = body.id;
  const first = post(service, caller, `${path}/create`, body, `first-${id}`).catch(() => undefined);
  await sleep(Math.random() * 2 * usual);
  await service.kill('SIGKILL');
  const answered = await first;
  const next = await commandLine.serve(settings);
  const began = performance.now();
  const again = await post(next, caller, `${path}/create`, body, `again-${id}`);
  const took = performance.now() - began;
  assert.equal(again.statusCode, 200, again.body);
  assert.equal(outcomeOf(await post(next, caller, `${path}/create`, body, `third-${id}`)), '200');
  const { data } = await get(next, caller, `${path}/get?id=${id}`);
  // What `get` adds for people.
  const { roleSources: _, ...shown } = data as Record<string, unknown>;
  assert.deepEqual(shown, (JSON.parse(again.body) as { data: unknown }).data);
  const trail = await get(next, caller, 'audit/list?limit=100');
  const written = (trail.data as ChangeView[]).filter(({ requestId }) => requestId?.endsWith(id));
  assert.equal(written.length, made);
  assert.ok(written.every(({ action }) => action === 'added'));
  assert.equal(new Set(written.map(({ requestId }) => requestId)).size, 1);
  assert.equal(new Set(written.map(({ entity, entityId }) => `${entity} ${entityId}`)).size, made);
  const byFirst = written[0]?.requestId === `first-${id}`;
  assert.ok(byFirst || answered === undefined, 'an answer was given, and the row was not there');
  const seen = byFirst ? (answered ? 'written and answered' : 'written, the answer lost') : 'not written';
  return { service: next, seen, took };
}

/** Does {@link loseAnswer} so often, on one database. */
export async function loseAnswers(commandLine: CommandLine, settings: Settings, rounds: number): Promise<string> {
  let service = await commandLine.serve(settings);
  const caller = await openCaller(commandLine, settings, service);
  const tally = new Tally();
  let usual = USUAL;
  for (let round = 0; round < rounds; round++) {
    const lost = await loseAnswer(commandLine, settings, { service, caller, round, usual });
    service = lost.service;
    usual = lost.took;
    tally.add(lost.seen);
  }
  await service.kill('SIGTERM');
  return tally.summary();
}

async function post(service: Service, { token }: Caller, path: string, body: Fields, requestId: string) {
  const response = await fetch(`${service.address}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify(body),
  });
  return { statusCode: response.status, body: await response.text() };
}

async function get(service: Service, { token }: Caller, path: string): Promise<{ data: unknown }> {
  const response = await fetch(`${service.address}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  return (await response.json()) as { data: unknown };
}
