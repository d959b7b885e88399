import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Answered, DatabaseTarget } from './database-target.ts';

/** A fault, tried on a service that is well, and well again afterwards. Gives what was seen, in words; throws where it should not be so. */
export interface DatabaseFault {
  name: string;
  run(target: DatabaseTarget): Promise<string>;
}

/** Milliseconds. */
const ANSWER_LIMIT = 3_000;
const BUSY_LIMIT = 2_000;
const RECOVERY_LIMIT = 5_000;
const LIVENESS_LIMIT = 50;

const rounded = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`;

function assertUnavailable(answers: readonly Answered[]): number {
  for (const { status, body, headers } of answers) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(String(body.code), /^(UNAVAILABLE|OVERLOADED)$/);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(headers.get('x-request-id')?.length, 32);
  }
  return Math.max(...answers.map(({ milliseconds }) => milliseconds));
}

/** Asks for everything while the database is away, and gives what the slowest answers took. */
async function askMeanwhile(target: DatabaseTarget): Promise<string> {
  const asking = Promise.all([
    ...Array.from({ length: 60 }, () => target.askProfile()),
    ...Array.from({ length: 10 }, () => target.updateProfile({ firstName: 'Never' })),
    target.updateProfile({ firstName: 'Never' }, { 'if-match': '*' }),
  ]);
  const readiness = target.ask('/readyz');
  // The first look after so many requests have been accepted is theirs.
  await target.ask('/livez');
  let slowestLife = 0;
  for (let round = 0; round < 5; round++) {
    const [alive, places] = [await target.ask('/livez'), await target.ask('/api/countries/list')];
    assert.deepEqual([alive.status, places.status], [200, 200]);
    slowestLife = Math.max(slowestLife, alive.milliseconds);
    await sleep(20);
  }
  const slowest = assertUnavailable(await asking);
  const { status, body } = await readiness;
  assert.equal(status, 503);
  assert.match(String(body.message), /database down/);
  assert.ok(slowest < ANSWER_LIMIT * target.slack, `An answer took ${rounded(slowest)}.`);
  // Those who ask are in the same process.
  assert.ok(slowestLife < 2 * LIVENESS_LIMIT * target.slack, `/livez took ${rounded(slowestLife)}.`);
  return `71 × 503, the slowest after ${rounded(slowest)}; /livez within ${rounded(slowestLife)}`;
}

async function assertRecovery(target: DatabaseTarget): Promise<string> {
  const took = await target.recovery();
  assert.ok(took < RECOVERY_LIMIT * target.slack, `The service took ${rounded(took)} to come back.`);
  const { waiting } = target.db.poolFigures?.() ?? { waiting: 0 };
  assert.equal(waiting, 0);
  return `back after ${rounded(took)}`;
}

export async function whileSpoiled(
  target: DatabaseTarget,
  spoil: () => void,
  mend = () => target.proxy.pass(),
): Promise<string> {
  spoil();
  const seen = await askMeanwhile(target);
  mend();
  return `${seen}; ${await assertRecovery(target)}`;
}

/** Holds a lock on the users, past the proxy, while the work is done. */
async function whileUsersAreLocked<Result>({ direct }: DatabaseTarget, work: () => Promise<Result>): Promise<Result> {
  return direct.transaction(async (transaction) => {
    await transaction.query(sql`lock table users in access exclusive mode`);
    return work();
  });
}

async function firstNameOf({ direct }: DatabaseTarget): Promise<string | undefined> {
  const rows = direct.query<{ name: string }>(
    sql`select first_name as name from users where email = 'employee@acme.example'`,
  );
  return (await rows)[0]?.name;
}

export const DATABASE_FAULTS: readonly DatabaseFault[] = [
  { name: 'connections are reset and refused', run: (target) => whileSpoiled(target, () => target.proxy.reset()) },
  { name: 'nothing is answered (black hole)', run: (target) => whileSpoiled(target, () => target.proxy.blackHole()) },
  {
    name: 'idle connections died without a word',
    async run(target) {
      target.proxy.blackHole();
      await target.askProfile();
      target.proxy.pass();
      return assertRecovery(target);
    },
  },
  {
    name: 'every connection is busy, and the table of users locked',
    async run(target) {
      const busy = await whileUsersAreLocked(target, () => Promise.all(Array.from({ length: 60 }, target.askProfile)));
      const slowest = assertUnavailable(busy);
      assert.ok(slowest < BUSY_LIMIT * target.slack, rounded(slowest));
      return `60 × 503, the slowest after ${rounded(slowest)}; ${await assertRecovery(target)}`;
    },
  },
  {
    name: 'every connection sleeps (pg_sleep)',
    async run(target) {
      const sleeping = Array.from({ length: 8 }, () => target.db.query(sql`select pg_sleep(30)`).catch(String));
      await sleep(100);
      const [first, alive] = await Promise.all([target.askProfile(), target.ask('/livez')]);
      assert.ok(first.milliseconds < BUSY_LIMIT * target.slack, rounded(first.milliseconds));
      assert.ok(alive.milliseconds < LIVENESS_LIMIT * target.slack, rounded(alive.milliseconds));
      await Promise.all(sleeping);
      return `${first.status} after ${rounded(first.milliseconds)}; ${await assertRecovery(target)}`;
    },
  },
  {
    name: 'the connection is lost in the middle of an update, and the update sent again',
    async run(target) {
      const { headers } = await target.askProfile();
      const etag = headers.get('etag') ?? '';
      for (const condition of [{}, { 'if-match': etag }] as Record<string, string>[]) {
        const name = `Name${Math.random().toString(36).slice(2).replace(/\d/g, '')}`;
        await target.direct.transaction(async (transaction) => {
          await transaction.query(sql`select from users where email = 'employee@acme.example' for update`);
          const lost = target.updateProfile({ firstName: name }, { 'if-match': '*' });
          await sleep(100);
          target.proxy.reset();
          assertUnavailable([await lost]);
        });
        target.proxy.pass();
        await target.recovery();
        assert.notEqual(await firstNameOf(target), name);
        assert.equal((await target.updateProfile({ firstName: name }, condition)).status, 200);
        assert.equal(await firstNameOf(target), name);
        if (condition['if-match'] === undefined) break;
      }
      return 'nothing half done, and the second time done';
    },
  },
  {
    name: 'an update that was given up is not carried out later',
    async run(target) {
      await target.updateProfile({ firstName: 'Before' });
      target.proxy.blackHole();
      assertUnavailable(
        await Promise.all(Array.from({ length: 20 }, () => target.updateProfile({ firstName: 'Late' }))),
      );
      target.proxy.pass();
      const back = await assertRecovery(target);
      await sleep(500);
      assert.equal(await firstNameOf(target), 'Before');
      return back;
    },
  },
  {
    name: 'the way to the database is slow (50 ms each way)',
    async run(target) {
      target.proxy.delay(50);
      const answers = await Promise.all(Array.from({ length: 20 }, target.askProfile));
      target.proxy.pass();
      const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
      for (const { status } of answers) assert.equal(status, 200);
      return `20 × 200, the slowest after ${rounded(slowest)}`;
    },
  },
];
