import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, install } from '../support/installed.ts';
import { roleGroupId } from '../support/role-group-id.ts';
import { waitUntil } from '../support/wait-until.ts';
import { besideOthers, othersInWords, requestsOfOthers } from './others.ts';
import { type Attack, type AttackAnswer, sendAttack, statusesInWords } from './sending.ts';

const MIB = 1024 * 1024;
/** What a container of 1 GiB gives a process: half of it for the heap. */
const CONTAINER = { memory: 1024 * MIB, NODE_OPTIONS: '--max-old-space-size=512' };
/** Resets the peak of the resident memory of a process (proc(5)): the start takes more than the work. */
const RESET_PEAK = '5';
/** Milliseconds in which `/livez` and other requests of others are answered. */
const MAX_WAIT = 1_000;
/** Bookings of a request that is carried out. */
const BOOKINGS = 1_000;

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));

/** Many of the largest bodies at once, by one key each. @param percent how many: of 200 of 4 MiB, 500 of 64 KiB and 500 of 512 KiB */
export async function tryBodiesAtOnce(kind: DatabaseKind, percent: number): Promise<string[]> {
  const scale = (count: number) => Math.ceil((count * percent) / 100);
  const { memory, ...settings } = CONTAINER;
  await using installed = await install(kind, settings);
  const { data, superAdmin } = installed;
  const port = Number(installed.settings.PORT);
  const { id: companyId, key } = await addKeyedCompany(installed, ['scim', 'bookings.write']);
  const [userId = ''] = await addPeople(installed, companyId, 1);
  const others = await requestsOfOthers(installed);
  const { pid } = installed.service;
  const start = Math.round(peakMemory(pid) / MIB);
  const post = (path: string, body: object): Attack => ({
    method: 'POST',
    path,
    token: key,
    body: JSON.stringify(body),
  });
  const bookings = (attack: number, count: number) =>
    post('/api/bookings/record', {
      bookings: many(count, (n) => ({ id: `${attack}-${n}`, companyId, userId, amount: '1.00' })),
    });
  const member = 'm'.repeat(68);
  const attacks: [name: string, count: number, attack: (number: number) => Attack][] = [
    [
      'PUTs of a group of 4 MiB',
      scale(200),
      () => ({
        ...post('', { displayName: 'Managers', members: many(49_000, () => ({ value: member })) }),
        method: 'PUT',
        path: `/scim/v2/Groups/${roleGroupId(companyId, 'MANAGER')}`,
      }),
    ],
    [
      'POSTs of a person of 64 KiB',
      scale(500),
      () => post('/scim/v2/Users', { emails: many(1_600, (n) => ({ type: `t${n}`, value: 'a@x.example' })) }),
    ],
    [
      `POSTs of bookings of 512 KiB, every tenth with ${BOOKINGS} that are recorded`,
      scale(500),
      (number) => bookings(number, number % 10 === 0 ? BOOKINGS : 3_900),
    ],
  ];
  const rows: string[] = [];
  let recorded = 0;
  for (const [name, count, attack] of attacks) {
    const first = attack(1);
    rows.push(
      await tryOften(`${count} ${name}, at once; ${kind}`, 1, async () => {
        let answers: AttackAnswer[] = [];
        writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
        const seen = await besideOthers(port, others, async () => {
          answers = await Promise.all(many(count, (n) => sendAttack(port, n % 10 === 0 ? attack(n) : first)));
        });
        const peak = peakMemory(pid);
        const text = `${Math.round(Buffer.byteLength(first.body ?? '') / 1024)} KB each; ${statusesInWords(answers)}; ${othersInWords(seen)}; memory at most ${Math.round(peak / MIB)} MiB, at the start ${start} MiB`;
        for (const { status } of answers) assert.ok([0, 200, 400, 408, 413, 503].includes(status), text);
        assert.ok(
          answers.some(({ status }) => status === 400 || status === 200),
          text,
        );
        assert.ok(peak < memory, text);
        assert.deepEqual([...seen.refused], [], text);
        assert.ok(seen.longest <= MAX_WAIT, text);
        recorded += BOOKINGS * answers.filter(({ status }) => status === 200).length;
        return text;
      }),
    );
  }
  // A booking whose answer was cut off may have been recorded.
  const company = () => data(`/api/companies/get?id=${companyId}`, superAdmin);
  await waitUntil('no booking to be lost', async () => (await company())._count.bookings >= recorded);
  return rows;
}

/** Returns the peak of the resident memory of a process, in bytes. */
function peakMemory(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
