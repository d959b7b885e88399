import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../audit/audit-trail.ts';
import { takenField } from '../audit/audited-write.ts';
import type { CompanyScope } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import type { Caller } from '../auth/callers/roles.ts';
import { sqlState, violatedConstraint } from '../db/database.ts';
import { anyOf } from '../db/sql/sql-fragments.ts';
import type { FieldProblem } from '../entities/api-error.ts';
import { ApiError } from '../entities/api-error.ts';
import type { AuditedEntity } from '../entities/entity.ts';

/** The part of a `Call` that a write needs: caller, scope, audit actor and precondition. */
export interface WriteRequest {
  caller: Caller | KeyCaller;
  scope: CompanyScope;
  /** Author of the change in the audit trail. */
  actor: Actor;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
}

/** Author of a change, for permission rules and for the audit trail; may be an API key. */
export interface Author {
  caller: Caller | KeyCaller;
  actor: Actor;
}

const DEADLOCK = '40P01';

/** Returns the SQL condition that a row's company is in scope. @param column that holds the company id */
export function inScope(scope: CompanyScope, column: Sql): Sql {
  if (scope === 'all') return sql`true`;
  if (scope === 'active')
    return sql`exists (select from companies reached where reached.id = ${column} and reached.active)`;
  return sql`${column} = ${anyOf(scope)}`;
}

/** Returns the error for a foreign or unknown id: the two look alike. @param thing noun used in the message */
export function notFound(thing: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no ${thing} with this id.`);
}

/** Returns the error for values that another row already has. @param nameOf maps a field to its name in the body */
export function alreadyExists(
  { noun, unique }: Pick<AuditedEntity, 'noun' | 'unique'>,
  fields: readonly string[],
  nameOf = (field: string): string => field,
): ApiError {
  return conflict(
    fields.map((name) => {
      const { hint } = unique.find((key) => key.fields.at(-1) === name) ?? {};
      const taken = `Another ${noun} has this ${nameOf(name)} already.`;
      return { field: nameOf(name), code: 'ALREADY_EXISTS', message: hint === undefined ? taken : `${taken} ${hint}` };
    }),
  );
}

/** Returns the error with these problems, and each of their sentences once. */
export function conflict(problems: readonly FieldProblem[]): ApiError {
  const sentences = new Set(problems.map(({ message }) => message));
  return new ApiError('ALREADY_EXISTS', [...sentences].join(' '), { problems });
}

/**
 * Retries a create once after a unique violation: on the retry the row of the winner is visible. Under a race, PostgreSQL reports whichever
 * unique constraint it checks first, or a deadlock of two that insert the same values in another order.
 */
export async function retryOnUniqueViolation<Result>(create: () => Promise<Result>): Promise<Result> {
  try {
    return await create();
  } catch (error) {
    if (violatedConstraint(error) === undefined && sqlState(error) !== DEADLOCK) throw error;
    return create();
  }
}

/** Runs a write and maps unique violations to `ALREADY_EXISTS`. @param nameOf maps a field to its name in the body */
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
    throw alreadyExists(entity, [taken], nameOf);
  }
}
