import sql, { raw } from 'sql-template-tag';
import type { Writer } from '../../src/db/database.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Inserts one row, past all checks but the schema's own. Values are written as in JSON. */
export async function insertRow(db: Writer, table: string, row: Row): Promise<void> {
  const columns = raw(Object.keys(row).join(', '));
  const values = JSON.stringify(row);
  await db.query(
    sql`insert into ${raw(table)} (${columns})
        select ${columns} from json_populate_record(null::${raw(table)}, ${values}::text::json)`,
  );
}

/** The same UUID for the same number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Two companies, each with a department, a band and a person, and the first with a policy; each row is valid. */
export const validRows = {
  companies: company(1, 'Acme'),
  departments: { id: uuid(11), company_id: uuid(1), name: 'Sales', cost_code: 'CC-1', budget: '100.00' },
  employee_bands: band(21, 1),
  users: user(31, 1, 11, 21, 'ana@acme.example'),
  company_roles: { user_id: uuid(31), company_id: uuid(1), role: 'MANAGER' },
  system_roles: { user_id: uuid(31), role: 'SUPER_ADMIN' },
  user_identities: { issuer: 'https://id.example', subject: 'ana', user_id: uuid(31) },
  approval_policies: { id: 'policy-1', company_id: uuid(1), name: 'Travel', auto_approval_limit: '0' },
  approval_policy_levels: { policy_id: 'policy-1', level: 1, role_required: 'MANAGER', min_amount: '100.00' },
  bookings: { id: 'booking-1', company_id: uuid(1), user_id: uuid(31), amount: '99.99' },
} satisfies Record<string, Row>;

/** The second company and what belongs to it; in the order of insertion. */
export const otherRows: readonly (readonly [table: string, row: Row])[] = [
  ['companies', company(2, 'Globex')],
  ['departments', { ...validRows.departments, id: uuid(12), company_id: uuid(2) }],
  ['employee_bands', band(22, 2)],
  ['users', user(32, 2, 12, 22, 'bo@globex.example')],
];

function company(number: number, name: string): Row {
  const email = `office@${name.toLowerCase()}.example`;
  const terms = { credit_limit: '1000.00', credit_days: 30 };
  return { id: uuid(number), name, legal_name: `${name} Ltd`, gstin: `${name}-1`, email, ...terms };
}

function band(number: number, companyNumber: number): Row {
  return {
    id: uuid(number),
    company_id: uuid(companyNumber),
    name: 'Senior',
    code: 'B1',
    auto_approval_limit: '50.00',
  };
}

function user(number: number, companyNumber: number, department: number, bandNumber: number, email: string): Row {
  return {
    id: uuid(number),
    email,
    first_name: 'Ana',
    last_name: 'Rao',
    phone: '+91 98450 12345',
    client_type: 'CORPORATE',
    company_id: uuid(companyNumber),
    department_id: uuid(department),
    band_id: uuid(bandNumber),
    approval_limit: '75000.00',
    date_of_birth: '1990-05-15',
    gender: 'Female',
    address_line_1: '1, MG Road',
    pincode: '560001',
  };
}
