import sql from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';

/** Database rights that the service needs, as granted in docs/database.md; a test keeps both in step. */
export const SERVICE_RIGHTS: readonly (readonly [right: string, on: string])[] = [
  [
    'select',
    'schema_version, companies, company_counts, departments, employee_bands, users, company_roles, system_roles, user_identities, sign_ins, approval_policies, approval_policy_levels, bookings, booking_sums, api_keys, scim_users, directory_groups, directory_group_members, group_mappings, sign_in_connections, sign_in_domains, webhooks, webhook_secrets, webhook_progress, webhook_deliveries, kept_answers, audit_changes, audit_personal_values, change_feed',
  ],
  [
    'insert',
    'companies, departments, employee_bands, users, company_roles, system_roles, user_identities, sign_ins, approval_policies, approval_policy_levels, bookings, api_keys, scim_users, directory_groups, directory_group_members, group_mappings, sign_in_connections, sign_in_domains, webhooks, webhook_secrets, webhook_progress, webhook_deliveries, kept_answers, audit_changes, audit_personal_values',
  ],
  [
    'update (name, legal_name, gstin, email, credit_limit, credit_days, active, default_department_id, default_band_id, currency, country, budget_period, fiscal_year_start, updated_at)',
    'companies',
  ],
  ['update (name, cost_code, budget, parent_id, head_id, updated_at)', 'departments'],
  ['update (name, code, auto_approval_limit, max_booking_limit, updated_at)', 'employee_bands'],
  [
    'update (email, first_name, last_name, phone, client_type, department_id, band_id, approval_limit, date_of_birth, gender, address_line_1, address_line_2, pincode, loyalty_points, active, external_id, employee_number, job_title, cost_center, manager_id, start_date, end_date, substitute_id, substitute_from, substitute_until, updated_at)',
    'users',
  ],
  ['update (origin)', 'company_roles'],
  ['update (role, active)', 'system_roles'],
  [
    'update (name, auto_approval_limit, department_ids, band_ids, conditions, priority, active, updated_at)',
    'approval_policies',
  ],
  ['update (level, role_required, min_amount)', 'approval_policy_levels'],
  ['update (user_id, amount, created_at, department_id, cost_center, reference, status)', 'bookings'],
  ['update (last_used_at, revoked_at, confirmed_by)', 'api_keys'],
  ['update (claim, subject)', 'user_identities'],
  [
    'update (issuer, audience, client_id, algorithm, subject_claim, token_use, emails_verified, domains, active, updated_at)',
    'sign_in_connections',
  ],
  [
    'update',
    'kept_answers, sign_ins, scim_users, directory_groups, group_mappings, webhooks, webhook_secrets, webhook_progress',
  ],
  ['update (position)', 'audit_changes, change_feed'],
  [
    'delete',
    'departments, employee_bands, company_roles, system_roles, user_identities, sign_ins, approval_policies, approval_policy_levels, scim_users, directory_groups, directory_group_members, group_mappings, sign_in_connections, sign_in_domains, webhooks, webhook_secrets, webhook_deliveries, kept_answers',
  ],
  [
    'execute',
    'function fold(text), lower_letters(text), text_runs(text, integer, integer), publish_audit_changes(integer)',
  ],
  ['temporary', 'database orgdesk'],
];

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
