import assert from 'node:assert/strict';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { besideOthers, type OtherRequest, othersInWords, requestsOfOthers } from './others.ts';
import { type Attack, type AttackAnswer, sendAttack } from './sending.ts';

/** People of a file, as many as one may have. */
const PEOPLE = 50_000;
/** Members that a request may name, and people of a page of SCIM. */
const [MEMBERS, PAGE] = [20_000, 200];
/** Milliseconds that the requests of others take meanwhile. */
const GOAL = { median: 200, longest: 2_000 };

/** The largest import of one company, and then groups with all of its people. @param percent of the people */
export async function tryImports(kind: DatabaseKind, percent: number): Promise<string[]> {
  const people = Math.ceil((PEOPLE * percent) / 100);
  await using installed = await install(kind);
  const { id: companyId, key } = await addKeyedCompany(installed, ['users.write', 'scim']);
  const others = await requestsOfOthers(installed);
  const file = (lastName: string) =>
    [
      'email,firstName,lastName',
      ...Array.from({ length: people }, (_, n) => `p${n}@many.example,Ana,${lastName} ${n}`),
    ].join('\n');
  const send = (lastName: string): Attack => ({
    method: 'POST',
    path: `/api/users/import?companyId=${companyId}`,
    token: key,
    body: file(lastName),
    contentType: 'text/csv',
  });
  const rows = [
    await row(installed, others, `an import that adds ${people} people; ${kind}`, send('Rao')),
    await row(installed, others, `an import that changes ${people} people; ${kind}`, send('Lee')),
  ];
  const members = await membersOf(installed, key, people);
  const path = `/scim/v2/Groups/${await addGroup(installed, key)}`;
  for (const [what, value] of [
    ['adds', members],
    ['removes', []],
  ] as const) {
    const body = JSON.stringify({ displayName: 'Everybody', members: value });
    const name = `a PUT of a group that ${what} ${members.length} members; ${kind}`;
    rows.push(await row(installed, others, name, { method: 'PUT', path, token: key, body }));
  }
  return rows;
}

async function row(
  { settings }: Installed,
  others: readonly OtherRequest[],
  name: string,
  request: Attack,
): Promise<string> {
  return tryOften(name, 1, async () => {
    const port = Number(settings.PORT);
    let answer: AttackAnswer | undefined;
    const began = performance.now();
    const seen = await besideOthers(port, others, async () => {
      answer = await sendAttack(port, request);
    });
    const text = `${((performance.now() - began) / 1000).toFixed(1)} s; ${othersInWords(seen)}`;
    assert.equal(answer?.status, 200, `${text}; ${answer?.text.slice(0, 500)}`);
    assert.deepEqual([...seen.refused], [], text);
    assert.ok(seen.median <= GOAL.median && seen.longest <= GOAL.longest, text);
    return text;
  });
}

async function addGroup({ ask }: Installed, key: string): Promise<string> {
  return (await ask('/scim/v2/Groups', key, { body: { displayName: 'Everybody' } })).body.id;
}

/** Returns as many people of a company as a body of a group takes. */
async function membersOf({ ask }: Installed, key: string, people: number): Promise<{ value: string }[]> {
  const members: { value: string }[] = [];
  for (let first = 1; first <= Math.min(people, MEMBERS); first += PAGE) {
    const { body } = await ask(`/scim/v2/Users?attributes=id&count=${PAGE}&startIndex=${first}`, key);
    members.push(...body.Resources.map(({ id }: { id: string }) => ({ value: id })));
  }
  return members;
}
