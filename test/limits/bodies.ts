import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, install } from '../support/installed.ts';
import { assertServed, besideOthers, othersInWords, requestsOfOthers } from './others.ts';
import { type Attack, sendAttack, statusesInWords } from './sending.ts';

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** How often each body is sent, and milliseconds between two, so that a request is over before the next one. */
const [TIMES, PAUSE] = [20, 100];

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));
const emails = (count: number) => many(count, (n) => ({ type: `t${n}`, value: `a${n}@x.example` }));
const comparisons = (count: number) => many(count, (n) => `type eq "${n}"`).join(' or ');
/** Short, so that 70 of them fit into a body of 64 KiB. */
const NOTHING_20_TIMES = many(20, () => 'type eq ""').join(' or ');

/** Bodies with more in them than they may have, and as much as they may. @param percent how large the former are */
export async function tryBodies(kind: DatabaseKind, percent: number): Promise<string[]> {
  const scale = (count: number) => Math.ceil((count * percent) / 100);
  await using installed = await install(kind);
  const port = Number(installed.settings.PORT);
  const { id: companyId, key } = await addKeyedCompany(installed, ['scim']);
  const [person = ''] = await addPeople(installed, companyId, 1);
  const others = await requestsOfOthers(installed);
  const patch = (...Operations: object[]): Attack => ({
    method: 'PATCH',
    path: `/scim/v2/Users/${person}`,
    token: key,
    body: JSON.stringify({ schemas: [PATCH_OP], Operations }),
  });
  const roles = (count: number) => many(count, () => 0);
  const attacks: [name: string, attack: Attack, isWrong: boolean][] = [
    [
      `a PATCH that adds ${scale(1_500)} addresses and removes ${scale(70)} times by 20 comparisons`,
      patch(
        { op: 'add', path: 'emails', value: many(scale(1_500), (n) => ({ value: `a${n}@x.y` })) },
        ...many(scale(70), () => ({ op: 'remove', path: `emails[${NOTHING_20_TIMES}]` })),
      ),
      true,
    ],
    [
      'a PATCH at its bounds: 100 addresses, 20 comparisons, 250 operations',
      patch(
        { op: 'add', path: 'emails', value: emails(99) },
        { op: 'remove', path: `emails[${comparisons(20)}]` },
        ...many(248, () => ({ op: 'add', path: 'emails', value: emails(4) })),
      ),
      false,
    ],
    ...(['attributes', 'excludedAttributes'] as const).map((name): [string, Attack, boolean] => [
      `a search with ${scale(30_000)} names in ${name}`,
      {
        method: 'POST',
        path: '/scim/v2/Users/.search',
        token: key,
        body: JSON.stringify({ [name]: many(scale(30_000), () => 'a').join(',') }),
      },
      true,
    ]),
    [
      `${scale(120_000)} roles of one person`,
      {
        method: 'POST',
        path: '/api/users/save',
        token: installed.superAdmin,
        body: JSON.stringify({ companyId, create: [{ email: 'r@x.example', roles: roles(scale(120_000)) }] }),
      },
      true,
    ],
    [
      `${scale(30_000)} roles of one person, by SCIM`,
      patch({ op: 'add', path: 'roles', value: roles(scale(30_000)) }),
      true,
    ],
  ];
  const rows: string[] = [];
  for (const [name, attack, isWrong] of attacks) {
    rows.push(
      await tryOften(`${name}, ${TIMES} times; ${kind}`, 1, async () => {
        const answers: Awaited<ReturnType<typeof sendAttack>>[] = [];
        const seen = await besideOthers(port, others, async () => {
          for (let time = 0; time < TIMES; time++) {
            answers.push(await sendAttack(port, attack));
            await sleep(PAUSE);
          }
        });
        const sent = Buffer.byteLength(attack.body ?? '');
        for (const { status, bytes, text } of answers) {
          assert.equal(status, isWrong ? 400 : 200, text.slice(0, 1000));
          assert.ok(bytes <= Math.max(sent, 64 * 1024), `${bytes} bytes were answered to ${sent}`);
        }
        assertServed(seen);
        return `${Math.round(sent / 1024)} KB each; ${statusesInWords(answers)}; ${othersInWords(seen)}`;
      }),
    );
  }
  return rows;
}
