import assert from 'node:assert/strict';
import { tryOften } from '../faults/try-often.ts';
import { type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { sendAtRate } from '../support/send-at-rate.ts';
import { type Bulk, importBulk } from './bulk.ts';
import { besideOthers, othersInWords, requestsOfOthers } from './others.ts';
import { type Attack, type AttackAnswer, sendAttack, statusesInWords } from './sending.ts';
import { WORST } from './worst-requests.ts';

/** Milliseconds that the requests of others take. */
const GOALS = { server: { median: 50, longest: 1_000 }, embedded: { median: 200, longest: 2_000 } } as const;

/** One administrator, one employee and one key of each scope, each at its own limit with its worst requests. */
export async function tryOwnLimits(kind: DatabaseKind, people: number, seconds: number): Promise<string[]> {
  const name = `an administrator, an employee and a key of each scope, each at its limit for ${seconds} s, in a company of ${people}; ${kind}`;
  return [await tryOften(name, 1, () => exhaust(kind, people, seconds))];
}

async function exhaust(kind: DatabaseKind, people: number, seconds: number): Promise<string> {
  // The limits are kept by whoever sends: callers on this machine meet none.
  await using installed = await install(kind);
  const bulk = await importBulk(installed, people);
  const port = Number(installed.settings.PORT);
  const callers = await callersOf(installed, bulk);
  const seen: string[] = [];
  const statuses = new Set([200, 503]);
  const others = await besideOthers(port, await requestsOfOthers(installed), async () => {
    const sending = callers.map(async ({ name, rate, requests }) => {
      const answers: AttackAnswer[] = [];
      await sendAtRate({ rate, times: Math.ceil(rate * seconds) }, async (number) => {
        const request = requests[number % requests.length];
        assert.ok(request);
        answers.push(await sendAttack(port, request(number)));
      });
      seen.push(`${name} ${statusesInWords(answers)}`);
      for (const { status } of answers) statuses.add(status);
    });
    await Promise.all(sending);
  });
  const text = `${othersInWords(others)}. ${seen.sort().join('; ')}`;
  assert.equal(statuses.size, 2, `${text}: each is served, or refused as there is too much to do.`);
  const { median, longest } = GOALS[kind];
  const isWithin = others.refused.size === 0 && others.median <= median && others.longest <= longest;
  assert.ok(isWithin, `${text}; the goals are ${median} ms and ${longest} ms.`);
  return text;
}

interface Caller {
  name: string;
  /** A second. */
  rate: number;
  requests: readonly ((number: number) => Attack)[];
}

async function callersOf({ data, sign, superAdmin }: Installed, bulk: Bulk): Promise<Caller[]> {
  const [admin, employee] = [await sign(bulk.adminId), await sign(bulk.employeeId)];
  const policy = { companyId: bulk.id, name: 'Travel', autoApprovalLimit: '0.00', levels: LEVELS };
  const { id: policyId } = await data('/api/approval-policies/create', admin, policy);
  const callers: Caller[] = [];
  for (const { name, scope, who, rate, requests } of WORST) {
    const key = { name, scopes: [scope], companyId: bulk.id };
    const person = who === 'admin' ? admin : employee;
    const token = scope === undefined ? person : (await data('/api/api-keys/create', superAdmin, key)).key;
    callers.push({ name, rate, requests: requests({ bulk, policyId, token }) });
  }
  return callers;
}

const LEVELS = Array.from({ length: 10 }, (_, level) => ({
  level: level + 1,
  roleRequired: 'MANAGER',
  minAmount: `${level}.00`,
}));
