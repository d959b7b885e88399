import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../audit/audit-trail.ts';
import { takenField } from '../audit/audited-write.ts';
import type { CompanyScope } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import type { Caller } from '../auth/callers/roles.ts';
import { violatedConstraint } from '../db/database.ts';
import { ApiError } from '../entities/api-error.ts';
import type { AuditedEntity } from '../entities/entity.ts';
import type { FieldProblem } from '../entities/field-problem.ts';

/** The part of a `Call` that a write needs: who asks for a change, of what they may change, and of which state. */
export interface WriteRequest {
  caller: Caller;
  reach: CompanyScope;
  /** What the audit trail names. */
  actor: Actor;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
}

/** Who makes a change: what the rules about people look at, and what the audit trail names. An API key may be one too. */
export interface Author {
  caller: Caller | KeyCaller;
  actor: Actor;
}

/** Whether the company of a row is within reach. @param column that holds its id */
export function inScope(reach: CompanyScope, column: Sql): Sql {
  if (reach === 'all') return sql`true`;
  if (reach === 'active')
    return sql`exists (select from companies reached where reached.id = ${column} and reached.active)`;
  return sql`${column} = any(array(select json_array_elements_text(${JSON.stringify(reach)}::text::json))::uuid[])`;
}

/** Of an id that is foreign or unknown alike. @param thing as the messages call it */
export function notFound(thing: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no ${thing} with this id.`);
}

/** Of values that another row has already. @param prefix of the fields, where they stand inside of another one */
export function alreadyExists(noun: string, fields: readonly string[]): ApiError {
  const problems = fields.map(
    (field): FieldProblem => ({
      field,
      code: 'ALREADY_EXISTS',
      message: `Another ${noun} has this ${field} already.`,
    }),
  );
  return new ApiError('ALREADY_EXISTS', problems.map(({ message }) => message).join(' '), { problems });
}

/**
 * Runs a create, and once more where the database had its way of two of one id at the very same moment: it tells then of whichever
 * unique value it comes across first. The second time the other row is there.
 */
export async function retryOnUniqueViolation<Result>(create: () => Promise<Result>): Promise<Result> {
  try {
    return await create();
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return create();
  }
}

/** Runs a write, and tells of values that are taken as a conflict. @param nameOf as the body calls the field */
export async function mapConflicts<Result>(
  entity: AuditedEntity,
  write: () => Promise<Result>,
  nameOf: (field: string) => string = (field) => field,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const taken = takenField(entity, error);
    if (taken === undefined) throw error;
    throw alreadyExists(entity.noun, [nameOf(taken)]);
  }
}
