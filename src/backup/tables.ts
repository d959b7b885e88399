import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { ENTITIES } from '../entities/entities.ts';
import { systemRole } from '../entities/held-role.ts';

/** The tables of the geography: restored like all others, into a database that has a geography already too. */
export const GEOGRAPHY_TABLES = ['countries', 'states', 'cities', 'alternate_names'] as const;

/** All tables that a backup holds, of every version of the schema, parents before their children: this order is part of its format. */
const BACKED_UP: readonly string[] = [
  ...GEOGRAPHY_TABLES,
  ...ENTITIES.flatMap(({ table }) => (table === systemRole.table ? [table, 'user_identities'] : [table])),
  'api_keys',
  'scim_users',
  'scim_groups',
  'webhooks',
  'webhook_secrets',
  'webhook_progress',
  'webhook_deliveries',
  'audit_changes',
  'audit_personal_values',
];

/**
 * The others, which a database makes by itself: by its migrations, and by its triggers as rows come. Services take up a geography
 * whose revision has moved, so that it is counted on and not taken over.
 */
export const DERIVED_TABLES = [
  'schema_version',
  'geography_revision',
  'change_feed',
  'company_counts',
  'company_counts_users',
  'company_counts_bookings',
] as const;

export interface BackedUpColumn {
  name: string;
  /** Whether no value of it, as a text, has anything to escape. */
  isPlain: boolean;
  /** Whether a sequence gives its values. */
  isIdentity: boolean;
}

export interface BackedUpTable {
  name: string;
  /** Without those that the database works out. */
  columns: readonly BackedUpColumn[];
}

/** The tables that a backup of this database holds, parents before their children: those that its version of the schema has. */
export function listTables(db: Reader): Promise<BackedUpTable[]> {
  return db.query<BackedUpTable>(sql`
    select name,
           (select json_agg(json_build_object('name', attname, 'isPlain', typcategory in ('B', 'D', 'N') or typname = 'uuid',
                                              'isIdentity', attidentity <> '') order by attnum)
              from pg_attribute join pg_type on pg_type.oid = atttypid
             where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from json_array_elements_text(${JSON.stringify(BACKED_UP)}::text::json) with ordinality known (name, place)
      join pg_class on relname = name and relnamespace = current_schema()::regnamespace
     order by place`);
}

/** A table with its columns, as COPY names both. */
export function copyTarget({ name, columns }: BackedUpTable): Sql {
  return raw(`${name} (${columns.map((column) => `"${column.name}"`).join(', ')})`);
}

/** A row as one text, `line`: what COPY would write of it, with a session that has ISO dates in UTC. */
export function selectCopyLines({ name, columns }: BackedUpTable): Sql {
  return sql`select concat_ws(chr(9), ${join(columns.map(copyCell))}) as line from ${raw(name)}`;
}

/** COPY parts columns by tabs and rows by line feeds, writes null as `\N`, and has the backslash escape all of these. */
function copyCell({ name, isPlain }: BackedUpColumn): Sql {
  const text = `"${name}"::text`;
  const escaped = `replace(replace(replace(replace(${text}, '\\', '\\\\'), chr(9), '\\t'), chr(10), '\\n'), chr(13), '\\r')`;
  return raw(`coalesce(${isPlain ? text : escaped}, '\\N')`);
}
