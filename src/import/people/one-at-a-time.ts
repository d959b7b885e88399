import sql from 'sql-template-tag';
import { advisoryLock } from '../../db/advisory-locks.ts';
import type { Writer } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';

/** The companies to which this process brings people at the moment. */
const running = new Set<string>();

/** Does some work for a company unless other such work is under way in this process. @throws ApiError `OVERLOADED` */
export async function oneAtATime<Result>(companyId: string, work: () => Promise<Result>): Promise<Result> {
  if (running.has(companyId)) throw importRunning();
  running.add(companyId);
  try {
    return await work();
  } finally {
    running.delete(companyId);
  }
}

/** Keeps other processes from bringing people to the company until the session ends. @throws ApiError `OVERLOADED` where one does */
export async function lockCompanyImports(session: Writer, companyId: string): Promise<void> {
  const [lock] = await session.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_lock(${advisoryLock('peopleImport')}, hashtext(${companyId})) as "isHeld"`);
  if (lock?.isHeld !== true) throw importRunning();
}

function importRunning(): ApiError {
  return new ApiError('OVERLOADED', 'Another import of this company is under way: try again shortly.', {
    headers: { 'retry-after': '5' },
  });
}
