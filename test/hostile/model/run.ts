import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machineInWords } from '../../../bench/support/medians.ts';
import { recordSection } from '../../../bench/support/record-section.ts';
import { DATABASES, type DatabaseKind, type Installed, install } from '../../support/installed.ts';
import { HOSTILE_RESULTS, MODEL_HEADING } from '../results.ts';
import { Organisation, type Person, type Role } from './organisation.ts';
import { nextStep, type Random, randomFrom, type Step, unitFields } from './steps.ts';

/* Random requests by many people next to a model of what they do, with kills in between. `--steps 200 --database server --seed 7`. */
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    database: { type: 'string' },
  },
});
const [STEPS, KILLS, SEED] = [Number(values.steps), Number(values.kills), Number(values.seed)];
/** Steps between two comparisons of all there is. */
const COMPARED = 100;
/** Differences after which a run ends. */
const MAX_DIFFERENCES = 20;
/** Fields of a person that are compared as they are. */
const SHOWN = ['email', 'firstName', 'lastName', 'approvalLimit', 'active'] as const;
const byId = <Item extends object>(items: readonly Item[]): Item[] =>
  [...items].sort((one, other) => (String(Object(one).id) < String(Object(other).id) ? -1 : 1));

const isFull = values.steps === '2000' && values.kills === '4' && values.database === undefined;
const rows: string[] = [];
for (const kind of DATABASES.filter((one) => one === (values.database ?? one))) {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  try {
    const seen = await play(kind);
    rows.push(`| ${kind}, seed ${SEED} | ${seen}, ${seconds()} s |`);
    process.stdout.write(`model; ${kind}; seed ${SEED}: ${seen}, ${seconds()} s
`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`model; ${kind}; seed ${SEED}, after ${seconds()} s: ${String(error)}
`);
  }
}

if (isFull && process.exitCode === undefined) {
  recordSection(
    HOSTILE_RESULTS,
    `${MODEL_HEADING}

Command: \`npm run long -- hostile --only model\`. Machine: ${machineInWords()}.

Random requests by many people, next to a model of what the documentation says. Each answer, all lists and sums, and the state that the change
feed adds up to are those of the model; the service is killed in between.

| database | no difference in |
| --- | --- |
${rows.join('\n')}`,
  );
}

async function play(kind: DatabaseKind): Promise<string> {
  await using installed = await install(kind, { RATE_LIMIT_WRITES: '0' });
  const random = randomFrom(SEED);
  const model = await startModel(installed);
  const tokens = new Map<string, string>();
  const tokenOf = async ({ id }: Person) => {
    const token = tokens.get(id) ?? (await installed.sign(id));
    tokens.set(id, token);
    return token;
  };
  const statuses = new Map<number, number>();
  const differences: string[] = [];
  const note = (check: () => void) => {
    try {
      check();
    } catch (error) {
      differences.push(String(error));
    }
  };
  for (let number = 1; number <= STEPS; number++) {
    const step = nextStep(model, random);
    const isKilled = KILLS > 0 && number % Math.ceil(STEPS / (KILLS + 1)) === 0;
    if (isKilled) await killAmid(installed, model, step, await tokenOf(step.actor), random);
    else {
      const { status, body } = await installed.ask(step.path, await tokenOf(step.actor), { body: step.body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      note(() => checkAnswer(step, status, body?.code, number));
      if (status === 200) step.apply();
    }
    if (isKilled || number % COMPARED === 0 || number === STEPS) {
      await compareAll(installed, model, `step ${number}`).catch((error) => differences.push(String(error)));
    }
    if (differences.length >= MAX_DIFFERENCES) break;
  }
  const changes = await compareFeed(installed, model).catch((error) => differences.push(String(error)));
  assert.equal(differences.length, 0, differences.join('\n'));
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  return `${STEPS} steps, ${KILLS} kills, ${model.people.size} people, ${changes} changes; ${counts.join(', ')}`;
}

function checkAnswer({ actor, path, body, due }: Step, status: number, code: string, number: number): void {
  const where = `step ${number}: ${path} ${JSON.stringify(body)} by ${JSON.stringify({ ...actor, roles: [...actor.roles] })}: ${status} ${code}, due ${JSON.stringify(due)}`;
  assert.ok(due.statuses.includes(status), where);
  if (status === 409) assert.equal(code, due.code, where);
}

/** Two companies with an administrator each, and two Super Admins. */
async function startModel({ data, superAdmin }: Installed): Promise<Organisation> {
  const model = new Organisation();
  const add = (
    fields: Pick<Person, 'id' | 'companyId' | 'email' | 'departmentId' | 'bandId'>,
    roles: Role[],
    more = {},
  ) =>
    model.people.set(fields.id, {
      firstName: 'A',
      lastName: 'B',
      approvalLimit: '0.00',
      active: true,
      isSuperAdmin: false,
      ...fields,
      roles: new Set(roles),
      ...more,
    });
  for (const number of [1, 2]) {
    const gstin = randomUUID().replaceAll('-', '').slice(2);
    const made = { name: `Model ${number}`, legalName: 'Model', gstin, email: 'office@model.example' };
    const { id, defaultDepartmentId, defaultBandId } = await data('/api/companies/create', superAdmin, made);
    model.companies.set(id, { id, defaultDepartmentId, defaultBandId, active: true });
    model.departments.set(defaultDepartmentId, {
      ...{ id: defaultDepartmentId, companyId: id, name: 'General', code: 'GENERAL', amount: '0.00' },
    });
    model.bands.set(defaultBandId, {
      id: defaultBandId,
      companyId: id,
      name: 'Default',
      code: 'DEFAULT',
      amount: '0.00',
    });
    const place = { companyId: id, departmentId: defaultDepartmentId, bandId: defaultBandId };
    for (const [name, roles] of [
      ['admin', ['CORPORATE_ADMIN']],
      ['super', ['EMPLOYEE']],
    ] as const) {
      const sent = { companyId: id, email: `${name}${number}@model.example`, firstName: 'A', lastName: 'B', roles };
      const { id: userId } = await data('/api/users/create', superAdmin, sent);
      if (name === 'super') await data('/api/users/grant-role', superAdmin, { userId, role: 'SUPER_ADMIN' });
      add({ id: userId, email: sent.email, ...place }, [...roles], { isSuperAdmin: name === 'super' });
    }
  }
  return model;
}

/** Sends a step, kills the service amid it and starts it again. What was answered is there; what was not is there whole or not at all. */
async function killAmid(installed: Installed, model: Organisation, step: Step, token: string, random: Random) {
  const answered = installed.ask(step.path, token, { body: step.body }).then(
    ({ status }) => status,
    () => 0,
  );
  await sleep(random.below(15));
  await installed.service.kill('SIGKILL');
  const status = await answered;
  await installed.start();
  if (status !== 0) {
    assert.ok(step.due.statuses.includes(status), `${step.path} amid a kill: ${status}`);
    if (status === 200) step.apply();
    return;
  }
  if (!step.due.statuses.includes(200)) return;
  // Whether it was carried out shows by comparing: without it, or with it.
  const without = await compareAll(installed, model, 'before the kill').then(
    () => true,
    () => false,
  );
  if (!without) step.apply();
}

/** Compares all people, departments, bands, counts and sums with the model. */
async function compareAll(installed: Installed, model: Organisation, when: string): Promise<void> {
  const { superAdmin, data, sign } = installed;
  for (const { id: companyId, active } of model.companies.values()) {
    const people = model.ofCompany(model.people, companyId);
    const listed = await all(installed, `/api/users/list?companyId=${companyId}`, superAdmin);
    const shown = listed.map((person) => ({
      ...Object.fromEntries(['id', ...SHOWN].map((field) => [field, person[field]])),
      departmentId: person.department.id,
      bandId: person.band.id,
      roles: person.roles,
    }));
    const due = people.map((person) => ({
      ...Object.fromEntries((['id', ...SHOWN] as const).map((field) => [field, person[field]])),
      departmentId: person.departmentId,
      bandId: person.bandId,
      roles: [...person.roles].sort(),
    }));
    assert.deepEqual(byId(shown), byId(due), `${when}: people`);
    const company = await data(`/api/companies/get?id=${companyId}`, superAdmin);
    const bookings = model.ofCompany(model.bookings, companyId);
    assert.deepEqual(
      [company.active, company._count.users, company._count.bookings],
      [active, people.length, bookings.length],
      `${when}: company`,
    );
    const admin = people.find((person) => person.active && person.roles.has('CORPORATE_ADMIN'));
    if (!active || admin === undefined) continue;
    const token = await sign(admin.id);
    for (const kind of ['departments', 'bands'] as const) {
      const field = kind === 'departments' ? 'departmentId' : 'bandId';
      const units = await all(installed, `/api/${kind}/list?companyId=${companyId}&isPaginationNeeded=true`, token);
      const view = (unit: Record<string, unknown>) =>
        Object.fromEntries(Object.keys(sample).map((name) => [name, unit[name]]));
      const sample = unitFields(kind, { name: '', code: '', amount: '' });
      assert.deepEqual(
        byId(units.map((unit) => ({ id: unit.id, users: unit._count.users, ...view(unit) }))),
        byId(
          model.ofCompany(model[kind], companyId).map((unit) => ({
            id: unit.id,
            users: people.filter((person) => person[field] === unit.id).length,
            ...unitFields(kind, unit),
          })),
        ),
        `${when}: ${kind}`,
      );
    }
    const spending = await all(installed, `/api/departments/spending?companyId=${companyId}`, token);
    for (const { id, spent, bookings: count } of spending) {
      const own = bookings.filter(({ departmentId }) => departmentId === id);
      const cents = own.reduce((sum, booking) => sum + booking.cents, 0);
      assert.deepEqual([count, spent], [own.length, (cents / 100).toFixed(2)], `${when}: spending`);
    }
  }
}

/** Folds the change feed, each change from the value before it, and compares the result with the model. @returns the number of changes */
async function compareFeed(installed: Installed, model: Organisation): Promise<number> {
  const rows = new Map<string, Record<string, unknown>>();
  let [after, count] = ['', 0];
  for (;;) {
    const { status, body } = await installed.ask(`/api/events/list?limit=1000&after=${after}`, installed.superAdmin);
    assert.equal(status, 200);
    if (body.data.length === 0) break;
    after = body.next;
    for (const { action, entity, entityId, changes } of body.data) {
      if (entity !== 'user' && entity !== 'department' && entity !== 'employeeBand') continue;
      count++;
      const key = `${entity} ${entityId}`;
      const row = rows.get(key) ?? {};
      for (const { field, before, after: value } of changes) {
        if (action === 'changed' && field in row) assert.deepEqual(before, row[field], `${key} ${field} before`);
        row[field] = value;
      }
      if (action === 'removed') rows.delete(key);
      else rows.set(key, row);
    }
  }
  for (const person of model.people.values()) {
    const row = rows.get(`user ${person.id}`);
    for (const field of [...SHOWN, 'departmentId', 'bandId'] as const) {
      assert.deepEqual(row?.[field], person[field], `the feed: ${field} of ${person.id}`);
    }
  }
  for (const { id, name, code, amount } of model.departments.values()) {
    const row = rows.get(`department ${id}`);
    assert.deepEqual([row?.name, row?.costCode, row?.budget], [name, code, amount], `the feed: department ${id}`);
  }
  return count;
}

/** All items of a list, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: what a caller reads is JSON.
async function all({ ask }: Installed, path: string, token: string): Promise<any[]> {
  const items: unknown[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await ask(`${path}&limit=100&page=${page}`, token);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    items.push(...body.data);
    if (items.length >= body.pagination.totalItems) return items;
  }
}
