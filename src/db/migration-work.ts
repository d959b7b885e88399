/** Effect of a migration on existing rows, to plan when to run it. */
interface MigrationWork {
  does: string;
  /** Tables that it scans, repeated once per scan. */
  tables: readonly string[];
}

const NEW_TABLES: MigrationWork = { does: 'makes tables, and goes through no rows', tables: [] };

/** By migration number; a test requires an entry for each. */
export const MIGRATION_WORK: Readonly<Record<number, MigrationWork>> = {
  1: { does: 'makes a function', tables: [] },
  2: NEW_TABLES,
  3: NEW_TABLES,
  4: NEW_TABLES,
  5: NEW_TABLES,
  6: NEW_TABLES,
  7: NEW_TABLES,
  8: { does: 'counts people and bookings', tables: ['users', 'bookings'] },
  9: { does: 'builds indexes of companies', tables: ['companies', 'companies', 'companies'] },
  10: { does: 'looks at the last change', tables: [] },
  11: { does: 'widens a rule of the audit trail, and goes through no rows', tables: [] },
  12: {
    does: 'rewrites people and bands, and builds their indexes anew',
    tables: ['users', 'users', 'users', 'users', 'employee_bands', 'employee_bands', 'company_roles'],
  },
  13: { does: 'adds columns, and goes through no rows', tables: [] },
  14: NEW_TABLES,
  15: NEW_TABLES,
  16: NEW_TABLES,
  17: { does: 'builds indexes of people', tables: ['users', 'users', 'users', 'system_roles'] },
  18: { does: 'replaces a function', tables: [] },
  19: { does: 'builds indexes of the audit trail', tables: ['audit_changes', 'audit_changes'] },
  20: { does: 'builds an index of the audit trail anew', tables: ['audit_changes'] },
  21: {
    does: 'looks for codes and addresses that stand twice, and builds unique indexes',
    tables: [
      'users',
      'users',
      'companies',
      'companies',
      'departments',
      'departments',
      'employee_bands',
      'employee_bands',
    ],
  },
  22: {
    does: 'tells who made API keys, and builds indexes of people and the audit trail',
    tables: ['api_keys', 'users', 'users', 'audit_changes', 'audit_changes', 'audit_changes'],
  },
  23: { does: 'adds columns, and goes through no rows', tables: [] },
  24: {
    does: 'frees the addresses of people whom a directory deleted, and builds indexes',
    tables: ['scim_users', 'scim_users', 'audit_changes', 'audit_changes'],
  },
  25: {
    does: 'looks at all names, and folds those anew that the new rule concerns',
    tables: ['companies', 'departments', 'employee_bands', 'approval_policies', 'users'],
  },
  26: NEW_TABLES,
  28: {
    does: 'looks for ids in upper case, and writes these in lower case',
    tables: ['approval_policies', 'approval_policy_levels', 'company_roles', 'bookings'],
  },
  31: { does: 'makes a function', tables: [] },
  32: { does: 'changes a setting of a function', tables: [] },
  33: {
    does: 'adds columns, moves the ids that directories have for people, and builds indexes of people',
    tables: ['scim_users', 'users', 'users', 'users', 'users'],
  },
  34: { does: 'adds columns, and looks at the levels of approval policies', tables: ['approval_policy_levels'] },
  37: {
    does: 'adds columns; afterwards, while requests go on, bookings get the department of their person, and indexes are built',
    tables: [],
  },
  38: { does: 'adds columns, and goes through no rows', tables: [] },
  40: { does: 'drops the tables of the geography, which is served from a file', tables: [] },
  41: { does: 'adds a column, and goes through no rows', tables: [] },
  43: NEW_TABLES,
  45: {
    does: 'notes which roles directories gave',
    tables: ['company_roles', 'audit_changes'],
  },
  48: NEW_TABLES,
  50: { does: 'adds columns, and goes through no rows', tables: [] },
  51: { does: 'widens a rule of the audit trail, and goes through no rows', tables: [] },
  52: { does: 'builds an index of the people of directories', tables: ['scim_users'] },
  53: { does: 'looks at who is linked to an account', tables: ['user_identities', 'user_identities'] },
  54: { does: 'builds indexes of linked accounts', tables: ['user_identities', 'user_identities'] },
  55: {
    does: 'notes which directory keeps a person up to date',
    tables: ['scim_users', 'scim_users', 'audit_changes'],
  },
  56: { does: 'builds an index of the audit trail', tables: ['audit_changes'] },
  57: {
    does: 'copies what approvals need of people to their roles, and builds an index of these',
    tables: ['company_roles', 'company_roles', 'users'],
  },
  60: { does: 'adds a column to connections, and goes through no rows', tables: [] },
  61: {
    does: 'folds the work addresses of directories, and builds an index of them',
    tables: ['scim_users', 'scim_users'],
  },
  66: { does: 'changes a trigger', tables: [] },
  67: {
    does: 'rewrites people, departments, bands and companies with the codes by which they are compared, and builds their indexes anew',
    tables: [...Array<string>(12).fill('users'), 'departments', 'employee_bands', 'companies'],
  },
  69: { does: 'adds a column to companies, and looks at their registration numbers', tables: ['companies'] },
};

/** Estimated seconds per scan of a million rows; building an index of users takes about three. */
export const SECONDS_A_MILLION = 4;
