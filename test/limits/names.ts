import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, install } from '../support/installed.ts';
import { sendAtRate } from '../support/send-at-rate.ts';
import { assertServed, besideOthers, othersInWords, requestsOfOthers } from './others.ts';
import { type AttackAnswer, sendAttack, statusesInWords } from './sending.ts';

/** Requests a second: the limit of one person. */
const RATE = 10;
const HOSTILE = 1_020;

/** One administrator makes webhooks whose names lead to a name server that never answers. @param percent of 1,020 of them */
export async function tryNames(kind: DatabaseKind, percent: number): Promise<string[]> {
  const times = Math.ceil((HOSTILE * percent) / 100);
  return [
    await tryOften(`${times} names that a name server never answers for, ${RATE} a second; ${kind}`, 1, () =>
      ask(kind, times),
    ),
  ];
}

async function ask(kind: DatabaseKind, times: number): Promise<string> {
  const server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  using _closed = { [Symbol.dispose]: () => server.close() };
  let questions = 0;
  server.on('message', () => {
    questions++;
  });
  await using installed = await install(kind, {
    NODE_OPTIONS: `--import ${new URL('./silent-names.mjs', import.meta.url).href}`,
    SILENT_NAME_SERVER: `127.0.0.1:${server.address().port}`,
    // The lower limit of writes would keep most of them away.
    RATE_LIMIT_WRITES: '0',
  });
  const port = Number(installed.settings.PORT);
  const [attacked, other] = [await addKeyedCompany(installed, ['scim']), await addKeyedCompany(installed, ['scim'])];
  const admins: string[] = [];
  for (const { id: companyId } of [attacked, other]) {
    const [userId = ''] = await addPeople(installed, companyId, 1);
    await installed.data('/api/users/grant-role', installed.superAdmin, { userId, companyId, role: 'CORPORATE_ADMIN' });
    admins.push(await installed.sign(userId));
  }
  const create = (token: string, companyId: string, url: string) =>
    sendAttack(port, {
      method: 'POST',
      path: '/api/webhooks/create',
      token,
      body: JSON.stringify({ companyId, url }),
    });
  const [attacker = '', admin = ''] = admins;
  const answers: AttackAnswer[] = [];
  const seen = await besideOthers(port, await requestsOfOthers(installed), async () => {
    await sendAtRate({ rate: RATE, times }, async (number) => {
      answers.push(await create(attacker, attacked.id, `https://slow${number}.attacker.example/`));
      // An address needs no look-up; a name of others waits for its own.
      if (number !== Math.floor(times / 2)) return;
      assert.equal((await create(admin, other.id, 'https://93.184.215.14/')).status, 200);
      assert.equal((await create(admin, other.id, 'https://hook.other.example/')).status, 400);
    });
  });
  assert.ok(questions > 0, 'The name server was never asked.');
  for (const { status } of answers) assert.ok(status === 400 || status === 429, `answered ${status}`);
  assertServed(seen);
  return `${statusesInWords(answers)}, ${questions} questions to the name server; another company's webhook was made meanwhile; ${othersInWords(seen)}`;
}
