import type { Sql } from 'sql-template-tag';

/** How the tokens name those whom a look-up of callers asks for; nobody for any other statement. */
export function ownersAsked({ values }: Sql): string[] {
  const last = String(values.at(-1));
  return last.startsWith('[') ? (JSON.parse(last) as string[]) : [];
}

/** The query function of a database in which everybody is a user without a role. */
export async function everybodyWithoutRoles<Row extends object>(statement: Sql): Promise<Row[]> {
  const user = { userId: 'x', active: true, works: true, systemRole: null, companyRoles: [] };
  return ownersAsked(statement).map((owner) => ({ owner, ...user })) as unknown as Row[];
}
