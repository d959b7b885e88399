import sql, { join } from 'sql-template-tag';
import { callerColumns } from '../../auth/callers/identity-queries.ts';
import { type Caller, rolesOf } from '../../auth/callers/roles.ts';
import type { Reader } from '../../db/database.ts';

/** E-mail addresses of the demo people offered for sign-in, in display order (demo/users.csv). */
const DEMO_PEOPLE = [
  'super.admin@orgdesk.example',
  'platform.rm@orgdesk.example',
  'admin@acme.example',
  'manager@acme.example',
  'employee@acme.example',
  'inactive@acme.example',
  'admin@globex.example',
];

/** A demo person to sign in as. */
export interface DemoPerson {
  id: string;
  email: string;
  name: string;
  company: string;
  roles: string[];
  active: boolean;
}

/** Returns the demo people found in the database, in display order. */
export async function findDemoPeople(db: Reader): Promise<DemoPerson[]> {
  const rows = await db.query<Caller & Omit<DemoPerson, 'id' | 'roles'>>(sql`
    select ${callerColumns}, users.email, trim(users.first_name || ' ' || users.last_name) as name, own.name as company
    from users join companies own on own.id = users.company_id
    where users.email in (${join(DEMO_PEOPLE)})`);
  return rows
    .map(({ userId, email, name, company, active, ...caller }) => ({
      id: userId,
      email,
      name,
      company,
      active,
      roles: rolesOf(caller),
    }))
    .sort((a, b) => DEMO_PEOPLE.indexOf(a.email) - DEMO_PEOPLE.indexOf(b.email));
}
