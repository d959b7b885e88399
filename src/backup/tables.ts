import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { ALL_ENTITIES, ENTITIES, LIST_TABLES } from '../entities/entities.ts';
import { systemRole } from '../entities/held-role.ts';

/** All tables of a backup, of any schema version, parents before their children. This order is part of the format. */
const BACKED_UP: readonly string[] = [
  ...new Set([
    ...ENTITIES.flatMap(({ table }) =>
      table === systemRole.table ? [table, 'sign_in_connections', 'user_identities'] : [table],
    ),
    'directories',
    'api_keys',
    'scim_users',
    'directory_people',
    'webhooks',
    'webhook_secrets',
    'webhook_headers',
    'webhook_progress',
    'webhook_deliveries',
    'audit_changes',
    'audit_personal_values',
    'directory_groups',
    'directory_group_members',
    'group_mappings',
    'sign_ins',
    ...ALL_ENTITIES.map(({ table }) => table),
    'department_parents',
    'feeds',
    'feed_people',
  ]),
];

/** Tables that are not backed up: migrations, triggers and running imports fill them, DNS does, or they are of use for a day. */
export const DERIVED_TABLES: readonly string[] = [
  ...LIST_TABLES,
  'kept_answers',
  'domain_proofs',
  'sign_in_refusals',
  'mail_progress',
  'uninvited_people',
  'schema_version',
  'change_feed',
  'company_counts',
  'company_counts_users',
  'company_counts_bookings',
  'unfinished_imports',
  'booking_sums',
  'booking_group_sums',
  'seen_facts',
];

export interface BackedUpColumn {
  name: string;
  /** Whether no value, as text, needs escaping. */
  isPlain: boolean;
  /** Whether a sequence generates its values. */
  isIdentity: boolean;
}

export interface BackedUpTable {
  name: string;
  /** Without generated columns, and without transactions of this server. */
  columns: readonly BackedUpColumn[];
}

/** Returns the tables of a backup of this database, parents before their children: those in its schema version. */
export function listTables(db: Reader): Promise<BackedUpTable[]> {
  return db.query<BackedUpTable>(sql`
    select name,
           (select json_agg(json_build_object('name', attname, 'isPlain', typcategory in ('B', 'D', 'N') or typname = 'uuid',
                                              'isIdentity', attidentity <> '') order by attnum)
              from pg_attribute join pg_type on pg_type.oid = atttypid
             where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' and atttypid <> 'xid8'::regtype) as columns
      from json_array_elements_text(${JSON.stringify(BACKED_UP)}::text::json) with ordinality known (name, place)
      join pg_class on relname = name and relnamespace = current_schema()::regnamespace
     order by place`);
}

/** Returns a table with its columns, as COPY names both. */
export function copyTarget({ name, columns }: BackedUpTable): Sql {
  return raw(`${name} (${columns.map((column) => `"${column.name}"`).join(', ')})`);
}

/** Selects rows in COPY's text format as `line`. The session must have ISO dates in UTC. */
export function selectCopyLines({ name, columns }: BackedUpTable): Sql {
  return sql`select concat_ws(chr(9), ${join(columns.map(copyCell))}) as line from ${raw(name)}`;
}

/** Returns a cell in COPY's text format: tab between columns, line feed after rows, `\N` for null, and backslash escapes. */
function copyCell({ name, isPlain }: BackedUpColumn): Sql {
  const text = `"${name}"::text`;
  const escaped = `replace(replace(replace(replace(${text}, '\\', '\\\\'), chr(9), '\\t'), chr(10), '\\n'), chr(13), '\\r')`;
  return raw(`coalesce(${isPlain ? text : escaped}, '\\N')`);
}
