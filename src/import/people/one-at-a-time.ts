import sql from 'sql-template-tag';
import { advisoryLock } from '../../db/advisory-locks.ts';
import type { Writer } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';

/** Companies for which this process is running an import. */
const running = new Set<string>();

/** Runs work for a company, unless such work is already in flight in this process. @throws ApiError `OVERLOADED` */
export async function oneAtATime<Result>(companyId: string, work: () => Promise<Result>): Promise<Result> {
  if (running.has(companyId)) throw importRunning();
  running.add(companyId);
  try {
    return await work();
  } finally {
    running.delete(companyId);
  }
}

/** Locks imports into the company against other processes until the session ends. @throws ApiError `OVERLOADED` where one is running */
export async function lockCompanyImports(session: Writer, companyId: string): Promise<void> {
  const [lock] = await session.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_lock(${advisoryLock('peopleImport')}, hashtext(${companyId})) as "isHeld"`);
  if (lock?.isHeld !== true) throw importRunning();
}

function importRunning(): ApiError {
  return new ApiError('OVERLOADED', 'Another import of this company is in progress: try again shortly.', {
    headers: { 'retry-after': '5' },
  });
}
