import sql from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { ALL_ENTITIES, LIST_TABLES } from '../../entities/entities.ts';
import { type AuditedEntity, fieldOf } from '../../entities/entity.ts';

type TableRights = readonly (readonly [right: string, on: readonly string[]])[];

const WRITTEN = [
  ...['user_identities', 'sign_ins', 'scim_users', 'directory_groups', 'directory_group_members'],
  ...['webhook_secrets', 'webhook_deliveries', 'kept_answers'],
];
const TRAIL = ['audit_changes', 'audit_personal_values'];

/** Rights on the tables of no entity. */
const OTHERS: TableRights = [
  [
    'select',
    [
      ...['schema_version', 'company_counts', 'booking_sums', 'department_parents', 'change_feed', 'webhook_progress'],
      ...[...LIST_TABLES, ...TRAIL, ...WRITTEN],
    ],
  ],
  ['insert', ['webhook_progress', ...TRAIL, ...WRITTEN]],
  ['update (claim, subject)', ['user_identities']],
  ['update', ['kept_answers', 'sign_ins', 'scim_users', 'directory_groups', 'webhook_secrets', 'webhook_progress']],
  ['update (position)', ['audit_changes', 'change_feed']],
  ['delete', WRITTEN],
  [
    'execute',
    [
      'function fold(text)',
      'lower_letters(text)',
      'text_runs(text, integer, integer)',
      'country_of_gstin(text)',
      'budget_period_start(uuid, date)',
      'department_budget(text, date)',
      'publish_audit_changes(integer)',
    ],
  ],
  ['temporary', ['database orgdesk']],
];

/** Database rights that the service needs, each once, on what; `npm run docs` writes them to deploy/postgres/rights.sql. */
export const SERVICE_RIGHTS: readonly (readonly [right: string, on: string])[] = (() => {
  const rights = new Map<string, string[]>();
  for (const [right, on] of [...ALL_ENTITIES.flatMap(rightsOn), ...OTHERS])
    rights.set(right, [...(rights.get(right) ?? []), ...on]);
  return [...rights].map(([right, on]) => [right, on.join(', ')] as const);
})();

/** Returns the rights on the table of an entity. */
function rightsOn(entity: AuditedEntity): TableRights {
  const { id, table, fields, partOf, rights, hasTimestamps } = entity;
  const others = Object.keys(fields).filter((name) => name !== id && name !== 'companyId' && name !== partOf?.field);
  const columns = rights?.update ?? others.map((name) => fieldOf(entity, name).column);
  const update = `update (${[...columns, ...(hasTimestamps ? ['updated_at'] : [])].join(', ')})`;
  return ['select', 'insert', update, ...(rights?.keeps ? [] : ['delete'])].map((right) => [right, [table]]);
}

/** A right in the form of PostgreSQL's `has_…_privilege` functions. */
interface Right {
  kind: 'table' | 'column' | 'function' | 'database';
  right: string;
  object: string;
  column: string | null;
}

/** Returns the rights that the current role lacks, such as `insert on users`. */
export async function missingRights(db: Reader): Promise<string[]> {
  const rows = await db.query<Pick<Right, 'right' | 'object' | 'column'>>(sql`
    select "right", object, "column"
      from json_to_recordset(${JSON.stringify(rightsWanted())}::text::json)
        as wanted (kind text, "right" text, object text, "column" text)
     where not case kind
       when 'function' then coalesce(has_function_privilege(to_regprocedure(object), "right"), false)
       when 'database' then has_database_privilege(current_database(), "right")
       when 'column' then coalesce(has_column_privilege(to_regclass(object), "column", "right"), false)
       else coalesce(has_table_privilege(to_regclass(object), "right"), false) end`);
  return rows.map(({ right, object, column }) => `${right}${column === null ? '' : ` (${column})`} on ${object}`);
}

function rightsWanted(): Right[] {
  return SERVICE_RIGHTS.flatMap(([granted, on]): Right[] => {
    const [, right = '', , columns] = /^(\w+)( \((.*)\))?$/.exec(granted) ?? [];
    if (right === 'execute') {
      const functions = on.replace(/^function /, '').match(/\w+\([^)]*\)/g) ?? [];
      return functions.map((object) => ({ kind: 'function', right, object, column: null }));
    }
    if (right === 'temporary') return [{ kind: 'database', right, object: on, column: null }];
    return on.split(', ').flatMap((object): Right[] => {
      if (columns === undefined) return [{ kind: 'table', right, object, column: null }];
      return columns.split(', ').map((column) => ({ kind: 'column', right, object, column }));
    });
  });
}
