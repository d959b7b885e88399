import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';

/** A change as the tables of the audit trail have it. */
export interface LoggedChange {
  action: string;
  entity: string;
  entityId: string;
  userId: string | null;
  companyId: string | null;
  fields: string[];
  values: object | null;
  personal: object | null;
}

/** Returns the id of the newest change, 0 before the first. */
export async function newestChange(db: Database): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`select coalesce(max(id), 0)::text as id from audit_changes`);
  return row?.id ?? '';
}

/** Returns the changes after that id, oldest first. */
export async function changesSince(db: Database, id: string): Promise<LoggedChange[]> {
  return db.query<LoggedChange>(sql`
    select action, entity, entity_id as "entityId", user_id as "userId", company_id as "companyId", fields, field_values as values,
           (select personal.field_values from audit_personal_values personal where change_id = audit_changes.id) as personal
      from audit_changes where id > ${id}::bigint order by id`);
}
