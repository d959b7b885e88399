import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writePeople } from '../../bench/data/people.ts';
import type { Installed } from '../support/installed.ts';

/** A company with many people. */
export interface Bulk {
  id: string;
  /** Ids of a Corporate Admin and of an employee of it, and of as many more of its people as one request may save. */
  adminId: string;
  employeeId: string;
  people: readonly string[];
}

/** Imports a company with so many people, a fifth of them administrators. */
export async function importBulk(
  { commandLine, settings, data, superAdmin }: Installed,
  people: number,
): Promise<Bulk> {
  const folder = join(commandLine.folder, `bulk-${people}`);
  await writePeople(folder, { companies: 1, users: people, roles: people, bookings: 0 });
  const { code, stderr } = await commandLine.run(['import', folder], settings);
  assert.equal(code, 0, stderr);
  const [company] = await data('/api/companies/list?search=Ana 0 Industries', superAdmin);
  const list = (role: string, limit: number, page = 1) =>
    data(
      `/api/users/list?companyId=${company.id}&activeOnly=true&role=${role}&limit=${limit}&page=${page}`,
      superAdmin,
    );
  const [[admin], [employee], ...some] = await Promise.all([
    list('CORPORATE_ADMIN', 1),
    list('EMPLOYEE', 1),
    ...[1, 2, 3, 4, 5].map((page) => list('MANAGER', 100, page)),
  ]);
  const ids = some.flat().map(({ id }: Bulk) => id);
  return { id: company.id, adminId: admin.id, employeeId: employee.id, people: ids };
}
