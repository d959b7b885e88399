import { getCompanyOrForbid } from '../../../api/company-row.ts';
import { mapConflicts, retryOnUniqueViolation, type WriteRequest } from '../../../api/write-request.ts';
import { recordRefusal } from '../../../audit/audit-trail.ts';
import type { Database, IsWanted } from '../../../db/database.ts';
import { ApiError, apiErrors } from '../../../entities/api-error.ts';
import { company } from '../../../entities/company.ts';
import type { FieldProblem } from '../../../entities/field-problem.ts';
import { user } from '../../../entities/user.ts';
import type { ImportProblem } from '../../../import/check/problems.ts';
import { importPeople, importRunning, type PeopleReport } from './import-people.ts';
import type { ImportProblemView } from './import-schemas.ts';

/** Request to import people into a company. */
export interface UsersImport {
  companyId: string;
  dryRun: boolean;
  csv: Buffer;
}

/** Result of an import, or of a dry run. */
export interface UsersReport extends Omit<PeopleReport, 'problems' | 'untold' | 'taken'> {
  problems: readonly ImportProblemView[];
}

/**
 * Imports people into a company atomically: read, matched and checked as by `orgdesk import`, under the rules of a create and an update.
 *
 * @param isWanted whether the client still waits for the response
 * @throws ApiError `COMPANY_FORBIDDEN` for an unknown company, `INVALID_INPUT` with all problems unless it is a dry run, `OVERLOADED` where
 *   another import of the company is running. Taken ids and addresses leave an audit entry, so that probing for addresses shows.
 */
export async function importUsers(
  db: Database,
  request: WriteRequest,
  { companyId, dryRun, csv }: UsersImport,
  isWanted: IsWanted,
): Promise<UsersReport> {
  await getCompanyOrForbid(db, companyId);
  const brought = { companyId, csv, dryRun, isWanted, author: request };
  const work = () => retryOnUniqueViolation(() => importPeople(db, brought));
  const { problems, untold, taken, ...report } = await oneAtATime(companyId, () => mapConflicts(user, work));
  if (taken > 0) {
    const refused = { entity: company, id: companyId, companyId, values: { taken } };
    await recordRefusal(db, request.actor, refused);
  }
  const told = problemViews(problems, untold);
  if (!dryRun && told.length > 0) throw refusal(told, problems.length + untold);
  return { ...report, problems: told };
}

function problemViews(problems: readonly ImportProblem[], untold: number): ImportProblemView[] {
  const views = problems.map(({ line = null, column = null, value = null, reason }) => ({
    line,
    column,
    value,
    message: reason,
  }));
  if (untold > 0) views.push({ line: null, column: null, value: null, message: `… and ${untold} more` });
  return views;
}

function refusal(problems: readonly ImportProblemView[], total: number): ApiError {
  const fields = problems.map(({ line, column, message }): FieldProblem => {
    const row = line === null ? 'body' : `lines[${line}]`;
    return { field: column === null ? row : `${row}.${column}`, code: 'INVALID_VALUE', message };
  });
  const { problems: told } = apiErrors.invalidInput(fields);
  const message = `Nothing was imported: ${total} ${total === 1 ? 'problem' : 'problems'}.`;
  const data = { added: 0, changed: 0, unchanged: 0, problems, changes: [] };
  return new ApiError('INVALID_INPUT', message, { problems: told, data });
}

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
