import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import type { Entity, Key } from '../../entities/entity.ts';
import { MAX_PROBLEMS, type ProblemList } from './import-error.ts';

/** A check of the staged rows. */
export interface Check {
  entity: Entity;
  /** Column to blame; undefined where it is no single one. */
  column: string | undefined;
  /** Selects the faulty rows as {@link Finding}s. */
  found: Sql;
  reason: (finding: Finding) => string;
  /** Whether the findings are values taken by somebody of whom nothing may be disclosed: only a few are reported. */
  isTaken?: boolean;
}

/** Maximum of taken values reported: thousands of addresses must not be probed by requests that write nothing. */
const MAX_TAKEN = 10;

/** A faulty row. */
export interface Finding {
  line: number;
  value: string;
  /** Further detail for the reason: another line, the id of another row, a number. */
  other: string;
}

/** Runs a check, and adds its findings to the problems. */
export async function runCheck(db: Reader, problems: ProblemList, check: Check): Promise<void> {
  const { entity, column, found, reason, isTaken = false } = check;
  const findings = await db.query<Finding & { total: number }>(sql`
    with found as materialized (${found})
    select line, value, other, (select count(*)::integer from found) as total
    from found order by line limit ${isTaken ? MAX_TAKEN : MAX_PROBLEMS}::integer`);
  for (const finding of findings) {
    const { line, value } = finding;
    problems.add({ file: entity.file, line, column, value: value ?? undefined, reason: reason(finding) });
  }
  const total = findings[0]?.total ?? 0;
  problems.addUntold(total - findings.length);
  if (isTaken) problems.taken += total;
}

/** Returns the field of a key to blame for a duplicate. */
export function lastField({ fields }: Key): string {
  return fields.at(-1) ?? '';
}

/** Joins names for a message: `policyId and level`. */
export function namesOf(names: readonly string[], word = 'and'): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${word} `);
}
