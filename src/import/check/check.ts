import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import type { Entity, Key } from '../../entities/entity.ts';
import { MAX_PROBLEMS, type ProblemList } from './import-error.ts';

/** Something to look for among the staged rows. */
export interface Check {
  entity: Entity;
  /** The column to blame; undefined where no single one is. */
  column: string | undefined;
  /** Selects the rows to object to, as {@link Finding}s. */
  found: Sql;
  reason: (finding: Finding) => string;
  /** Whether the rows have what somebody has of whom nothing may be told: few of them are. */
  isTaken?: boolean;
}

/** Values that somebody else has, told at most: nobody is to try out thousands of addresses by requests that write nothing. */
const MAX_TAKEN = 10;

/** A row to object to. */
export interface Finding {
  line: number;
  value: string;
  /** What the reason names beside the value: another line, another row's id, a number. */
  other: string;
}

/** Adds to the list what a check finds. */
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

/** The field of a key that is blamed where the key stands twice. */
export function lastField({ fields }: Key): string {
  return fields.at(-1) ?? '';
}

/** `policyId and level`. */
export function namesOf(names: readonly string[], word = 'and'): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${word} `);
}
