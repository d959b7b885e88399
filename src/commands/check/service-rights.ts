import sql from 'sql-template-tag';
import type { Config } from '../../config/config.ts';
import type { Database, Reader } from '../../db/database.ts';
import { waitForOthers } from '../../db/migrator.ts';
import { ALL_ENTITIES, LIST_TABLES } from '../../entities/entities.ts';
import { type AuditedEntity, fieldOf } from '../../entities/entity.ts';
import { UserError } from '../../lib/errors.ts';

type TableRights = readonly (readonly [right: string, on: readonly string[]])[];

const WRITTEN = [
  ...['user_identities', 'sign_ins', 'scim_users', 'directory_people', 'directory_groups', 'directory_group_members'],
  ...[
    'webhook_secrets',
    'webhook_headers',
    'webhook_deliveries',
    'kept_answers',
    'domain_proofs',
    'feeds',
    'feed_people',
    'sign_in_refusals',
    'uninvited_people',
  ],
];
const TRAIL = ['audit_changes', 'audit_personal_values'];

/** Rights on the tables of no entity. */
const OTHERS: TableRights = [
  [
    'select',
    [
      ...[
        'schema_version',
        'company_counts',
        'booking_sums',
        'booking_group_sums',
        'department_parents',
        'change_feed',
        'webhook_progress',
        'mail_progress',
      ],
      'seen_facts',
      ...[...LIST_TABLES, ...TRAIL, ...WRITTEN],
    ],
  ],
  ['insert', ['webhook_progress', 'seen_facts', ...TRAIL, ...WRITTEN]],
  ['update (claim, subject)', ['user_identities']],
  [
    'update',
    [
      'kept_answers',
      'domain_proofs',
      'sign_in_refusals',
      'sign_ins',
      'feeds',
      'feed_people',
      'scim_users',
      'directory_people',
      'directory_groups',
      'webhook_secrets',
      'webhook_progress',
    ],
  ],
  ['update (position)', ['audit_changes', 'change_feed', 'mail_progress']],
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
      'substitute_on(uuid, date)',
      'stand_in_on(uuid, date)',
      'legal_entity_of(uuid, uuid, uuid)',
      'state_of_gstin(text)',
      'publish_audit_changes(integer)',
      'move_users(jsonb)',
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

/** What a service with AUDIT_RETENTION needs besides. */
const REMOVAL = 'remove_old_audit_changes(integer, integer)';
const RETENTION = `function ${REMOVAL}`;

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

/** Returns which rights the current role lacks for the service, and the command that grants them; undefined if it has all. */
export async function lackOfRights(db: Reader, { auditRetention }: Config): Promise<string | undefined> {
  const missing = await missingRights(db);
  const [row] = await db.query<{ role: string; mayRemove: boolean | null }>(sql`
    select current_user::text as role,
           has_function_privilege(to_regprocedure(${REMOVAL}::text), 'execute') as "mayRemove"`);
  if (auditRetention !== undefined && row?.mayRemove === false)
    missing.push(`execute on ${RETENTION}, for AUDIT_RETENTION`);
  if (missing.length === 0) return undefined;
  const command = `SERVICE_ROLE=${row?.role} ${auditRetention === undefined ? '' : `AUDIT_RETENTION=${auditRetention} `}orgdesk migrate`;
  return `the role ${row?.role} lacks ${missing.join(', ')}: run \`${command}\` as the owner of the tables (docs/database.md)`;
}

/**
 * Grants a role what the service needs, and takes from others what PostgreSQL gives everybody.
 *
 * @throws UserError if there is no such role
 */
export async function grantRights(db: Database, name: string, { auditRetention }: Config): Promise<void> {
  await db.transaction(async (transaction) => {
    await waitForOthers(transaction);
    const [names] = await transaction.query<{ role: string; database: string; schema: string }>(sql`
      select quote_ident(rolname) as role, quote_ident(current_database()) as database, quote_ident(current_schema()) as schema
        from pg_roles where rolname = ${name}`);
    if (names === undefined)
      throw new UserError(`SERVICE_ROLE: the server has no role ${name}: create it (docs/database.md).`);
    const { role, database, schema } = names;
    const rights = [...SERVICE_RIGHTS, ...(auditRetention === undefined ? [] : [['execute', RETENTION] as const])];
    const grants = rights.map(
      ([right, on]) => `grant ${right} on ${on.replace(/^database .*/, `database ${database}`)} to ${role}`,
    );
    await transaction.run(
      [
        `revoke all on schema ${schema} from public`,
        `grant usage on schema ${schema} to ${role}`,
        `revoke execute on all functions in schema ${schema} from public`,
        'alter default privileges revoke execute on functions from public',
        ...grants,
      ].join(';\n'),
    );
  });
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
