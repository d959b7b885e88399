import sql, { join, raw } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { ApiError } from '../entities/api-error.ts';
import type { AuditedEntity } from '../entities/entity.ts';

/** What keeps a row from being deleted. */
export interface Use {
  what: string;
  plural: string;
  count: number;
}

/** Returns the error for a row that is in use. */
export function inUse(noun: string, used: readonly Use[]): ApiError {
  const uses = used.map(({ what, plural, count }) => (count === 1 ? `1 ${what}` : `${count} ${plural}`));
  return new ApiError('IN_USE', `This ${noun} is in use by ${uses.join(' and ')}.`);
}

/** Returns the plural of an English noun. */
export function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Returns the uses of a row in its company: by each of these entities that refers to rows of its kind. */
export async function findUses(
  db: Reader,
  target: AuditedEntity,
  id: string,
  entities: readonly AuditedEntity[],
): Promise<Use[]> {
  const uses = entities.flatMap((entity) =>
    Object.entries(entity.fields).flatMap(([name, field]) => {
      const { column, references, ofSameCompany, orIn, outlivesTarget, lists, rows } = field;
      const isOfWhole = entity.partOf !== undefined && entity.partOf.field !== name;
      const below = entity.name === target.name ? ' below' : '';
      const use = { what: `${entity.noun}${below}`, plural: `${pluralOf(entity.noun)}${below}` };
      if (lists === target.name && rows) return [{ ...use, table: rows.table, column: rows.value }];
      if (references !== target.name || !(ofSameCompany || orIn || isOfWhole) || outlivesTarget) return [];
      return [{ ...use, table: entity.table, column }];
    }),
  );
  if (uses.length === 0) return [];
  const counts = uses.map(
    ({ what, plural, table, column }) => sql`
      select ${what} as what, ${plural} as plural, count(*)::integer as count
        from ${raw(table)} where ${raw(column)} = ${id}::uuid`,
  );
  return db.query<Use>(sql`select what, plural, count from (${join(counts, ' union all ')}) uses where count > 0`);
}
