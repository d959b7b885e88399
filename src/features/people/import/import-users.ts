import { assertCompanyVisible } from '../../../api/company-row.ts';
import { mapConflicts, retryOnUniqueViolation, type WriteRequest } from '../../../api/write-request.ts';
import { recordEvent } from '../../../audit/audit-trail.ts';
import { assertNotSuspended } from '../../../auth/callers/access.ts';
import type { Database, IsWanted } from '../../../db/database.ts';
import { ApiError, apiErrors } from '../../../entities/api-error.ts';
import { company } from '../../../entities/company.ts';
import { type FieldProblem, MAX_PROBLEMS } from '../../../entities/field-problem.ts';
import { user } from '../../../entities/user.ts';
import type { ImportProblem } from '../../../import/check/problems.ts';
import { importPeople, importRunning } from './import-people.ts';
import type { ImportProblemView, UsersImportView } from './import-schemas.ts';

/** Request to import people into a company. */
export interface UsersImport {
  companyId: string;
  dryRun?: boolean;
  /** Deactivates active people who are missing from the file, at most `maxLeavers`. */
  mode?: string;
  maxLeavers?: number;
  /** Lists the changes of the lines after `after`, at most `limit`. */
  changes?: boolean;
  after?: number;
  limit?: number;
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
  { companyId, dryRun = false, mode, maxLeavers = 0, changes: isListed = false, after = 0, limit = 100 }: UsersImport,
  csv: Buffer,
  isWanted: IsWanted,
): Promise<UsersImportView> {
  assertNotSuspended(request.caller);
  await assertCompanyVisible(db, request.scope, companyId);
  const page = isListed ? { after, limit } : undefined;
  const all = mode === 'all' ? { maxLeavers } : undefined;
  const brought = { companyId, csv, dryRun, all, page, isWanted, author: request };
  const work = () => retryOnUniqueViolation(() => importPeople(db, brought));
  const { problems, untold, taken, ...report } = await oneAtATime(companyId, () => mapConflicts(user, work));
  if (taken > 0) {
    const refused = { entity: company, id: companyId, companyId, values: { taken: [null, taken] } };
    await recordEvent(db, request.actor, refused, 'refused');
  }
  const changes = [...report.changes];
  const view = {
    ...report,
    problems: problems.slice(0, MAX_PROBLEMS).map(problemView),
    problemsTotal: problems.length + untold,
    changes,
    changesNext: changes.length === limit ? (changes.at(-1)?.line ?? null) : null,
  };
  if (!dryRun && view.problemsTotal > 0) throw refusal(view);
  return view;
}

function problemView({ line, column, value, reason }: ImportProblem): ImportProblemView {
  return { line: line ?? null, column: column ?? null, value: value ?? null, message: reason };
}

function refusal(data: UsersImportView): ApiError {
  const fields = data.problems.map(({ line, column, message }): FieldProblem => {
    const row = line === null ? 'body' : `lines[${line}]`;
    return { field: column === null ? row : `${row}.${column}`, code: 'INVALID_VALUE', message };
  });
  const { problems } = apiErrors.invalidInput(fields);
  const total = data.problemsTotal;
  const message = `Nothing was imported: ${total} ${total === 1 ? 'problem' : 'problems'}.`;
  return new ApiError('INVALID_INPUT', message, { problems, data });
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
