import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvLine } from '../../src/lib/csv.ts';
import type { ConsoleService } from './service.ts';

/** A company that one test file has for itself. */
export interface OwnCompany {
  company: string;
  user: string;
  /** Of its one person, who is its Corporate Admin. */
  token: string;
}

/**
 * Brings in a company with a department, a band, a policy and an admin.
 *
 * @param number tells it from those of other files
 * @param text what stands in a field: `company`, `legal`, `department`, `cost`, `band`, `code`, `first`, `last`, `gender`, `line 1`, `line 2` or `policy`
 */
export function bringCompany(service: ConsoleService, number: number, text: (field: string) => string): OwnCompany {
  const id = (kind: number) => `5f2b7b1c-2a52-4f0e-9c65-0d9f1c6f${String(number).padStart(2, '0')}0${kind}`;
  const [company, department, band, user] = [id(1), id(2), id(3), id(4)];
  const [email, policy] = [`admin@own-${number}.example`, `policy-${number}`];
  const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    companies: {
      id: company,
      name: text('company'),
      legalName: text('legal'),
      gstin: `OWN-${number}`,
      email: `contact@own-${number}.example`,
      creditLimit: '1.00',
      creditDays: '1',
      defaultDepartmentId: department,
      defaultBandId: band,
    },
    departments: {
      id: department,
      companyId: company,
      name: text('department'),
      costCode: text('cost'),
      budget: '10.00',
    },
    bands: { id: band, companyId: company, name: text('band'), code: text('code'), autoApprovalLimit: '1.00' },
    users: {
      id: user,
      email,
      firstName: text('first'),
      lastName: text('last'),
      phone: '+910000000000',
      clientType: 'CORPORATE',
      companyId: company,
      departmentId: department,
      bandId: band,
      approvalLimit: '1.00',
      dateOfBirth: '1990-01-01',
      gender: text('gender'),
      pincode: '000 000',
      addressLine1: text('line 1'),
      addressLine2: text('line 2'),
    },
    'company-roles': { userId: user, companyId: company, role: 'CORPORATE_ADMIN' },
    'approval-policies': { id: policy, companyId: company, name: text('policy'), autoApprovalLimit: '1.00' },
    'approval-policy-levels': { policyId: policy, level: '1', roleRequired: 'MANAGER', minAmount: '1.00' },
  };
  const folder = join(service.folder, policy);
  mkdirSync(folder);
  for (const [name, row] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.csv`), csvLine(Object.keys(row)) + csvLine(Object.values(row)));
  }
  orgdesk(service, 'import', folder);
  return { company, user, token: orgdesk(service, 'token', email) };
}

/** Runs a command of the service on its data, and returns what it printed. */
export function orgdesk({ folder }: ConsoleService, ...words: string[]): string {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, LOG_LEVEL: 'error' };
  return execFileSync(process.execPath, ['dist/cli.js', ...words], { env, encoding: 'utf8' }).trim();
}
