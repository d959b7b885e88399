/** Columns that a file must have, by its name. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'companies.csv': ['id', 'name', 'legalName', 'gstin', 'email', 'creditLimit', 'creditDays'],
  'departments.csv': ['id', 'companyId', 'name', 'costCode', 'budget'],
  'bands.csv': ['id', 'companyId', 'name', 'code', 'autoApprovalLimit'],
  'users.csv': [
    'id',
    'email',
    'firstName',
    'lastName',
    'phone',
    'clientType',
    'companyId',
    'departmentId',
    'bandId',
    'approvalLimit',
    'dateOfBirth',
    'gender',
    'addressLine1',
    'pincode',
  ],
  'company-roles.csv': ['userId', 'companyId', 'role'],
  'system-roles.csv': ['userId', 'role'],
  'approval-policies.csv': ['id', 'companyId', 'name', 'autoApprovalLimit'],
  'approval-policy-levels.csv': ['policyId', 'level', 'roleRequired', 'minAmount'],
  'bookings.csv': ['id', 'companyId', 'userId', 'amount'],
};

/** Values that no cell of the kind may hold. */
export const BAD_AMOUNTS = [
  '-1',
  '+1',
  '1.005',
  '1e3',
  'NaN',
  'Infinity',
  '1,5',
  '10000000000000',
  '0x10',
  '١٢',
  '1 000',
  '.5',
];
export const BAD_NUMBERS = ['-1', '1.0', '2147483648', '9'.repeat(400), '1e3', 'ten', ' ', 'NaN'];
export const BAD_DATES = ['1990-02-30', '1899-12-31', '31/12/1990', '1990-13-01', '2999-01-01', '19900515', 'infinity'];
export const BAD_TIMES = [
  '2025-01-31',
  '2025-02-29T00:00:00Z',
  '2025-01-31T25:00:00Z',
  '2025-01-31T09:30:00',
  '1769851800',
  'now',
];
export const BAD_EMAILS = ['x', '@x.example', 'a@', 'a b@x.example', 'a@b@c', `${'x'.repeat(250)}@x.example`];
export const BAD_GSTINS = ['27AAPFU0939F1ZW', '45AAPFU0939F1ZV', '27AAPFUO939F1ZV', 'x'.repeat(31), 'Ä', 'a b'];
export const BAD_IDS = [
  '{3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43}',
  '3f2b8c1e9d4a4c6b8e2f1a7d5b9c0e43',
  'x',
  '1',
  '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e4g',
];
export const BAD_NAMES = ['a\u0000b', 'a\u001b[31mb', 'line\nfeed', 'x'.repeat(201)];
