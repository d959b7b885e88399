import sql, { raw } from 'sql-template-tag';
import { median } from '../../bench/support/medians.ts';
import type { Cluster } from './cluster.ts';

const ROUNDS = 20;
const COMMITS = 20;

/** Medians, in milliseconds, of single commits that wait for the standby and of commits that do not, in turns. */
export async function commitCost(cluster: Cluster): Promise<{ waiting: number; alone: number }> {
  await cluster.wholeness();
  await using db = await cluster.openOnLeader('postgres');
  await db.query(sql`create table if not exists commits (place integer)`);
  const times: Record<'on' | 'local', number[]> = { on: [], local: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ['on', 'local'] as const) {
      await db.query(sql`set synchronous_commit = ${raw(way)}`);
      for (let place = 0; place < COMMITS; place++) {
        const began = performance.now();
        await db.query(sql`insert into commits values (${place})`);
        times[way].push(performance.now() - began);
      }
    }
  }
  return { waiting: median(times.on), alone: median(times.local) };
}
