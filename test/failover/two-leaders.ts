import sql, { raw } from 'sql-template-tag';
import type { Cluster, Leader } from './cluster.ts';
import { DATABASE } from './services.ts';

/** How a commit waits for the standby (`synchronous_commit`). */
const WAYS = ['on', 'local'] as const;

/** Lets Patroni stand still, which does not stop its PostgreSQL: as there is no watchdog, that goes on as a leader. */
export async function standStill(cluster: Cluster, { node }: Leader): Promise<void> {
  await using db = cluster.openOn(node, DATABASE);
  await db.query(sql`create table if not exists past_haproxy (way text)`);
  await db.query(sql`truncate past_haproxy`);
  cluster.holdPatroni(node);
}

/**
 * Writes to the old leader past HAProxy, beside the new one, and lets Patroni go on; says what the old leader acknowledged, and what
 * of it is there when the cluster is whole again.
 */
export async function writeBesideTheNewLeader(cluster: Cluster, { node }: Leader): Promise<string> {
  const acknowledged: string[] = [];
  for (const way of WAYS) if (await isAcknowledged(cluster, { node, way })) acknowledged.push(way);
  cluster.releasePatroni(node);
  await cluster.wholeness();
  await using db = await cluster.openOnLeader(DATABASE);
  const kept = (await db.query<{ way: string }>(sql`select way from past_haproxy`)).map(({ way }) => way);
  const inWords = WAYS.map((way) => {
    if (!acknowledged.includes(way)) return `with \`synchronous_commit\` ${way} not acknowledged`;
    return `with ${way} acknowledged and ${kept.includes(way) ? 'kept' : 'lost'}`;
  });
  return `a write to the old leader, past HAProxy: ${inWords.join(', ')}`;
}

async function isAcknowledged(
  cluster: Cluster,
  { node, way }: Pick<Leader, 'node'> & { way: string },
): Promise<boolean> {
  await using db = cluster.openOn(node, DATABASE);
  await db.query(sql`set synchronous_commit = ${raw(way)}`);
  const writing = db.query(sql`insert into past_haproxy values (${way})`);
  return writing.then(
    () => true,
    () => false,
  );
}
