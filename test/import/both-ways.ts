import assert from 'node:assert/strict';
import type { UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import { ImportError } from '../../src/import/check/problems.ts';
import { type ImportOptions, importFolder } from '../../src/import/import-folder.ts';
import { type Administration, openAdministration } from '../administration/administration.ts';
import { makeFolder } from './folders.ts';

/** What new people need from an import of the command line, next to what a table says of them. */
export const NEEDED = [
  ['clientType', 'CORPORATE'],
  ['approvalLimit', '0.00'],
  ['departmentCostCode', 'GENERAL'],
  ['bandCode', 'DEFAULT'],
] as const;

/** A company to which people come by the API and by the command line. */
export interface BothWays extends AsyncDisposable {
  administration: Administration;
  /** By the API, without writing. */
  check(csv: string | Buffer): Promise<UsersImportView>;
  /** By the API. */
  bring(csv: string | Buffer): Promise<UsersImportView>;
  /** By the command line. @returns what is wrong with it, and how many people are as they were */
  byFolder(
    csv: string | Buffer,
    options?: ImportOptions,
  ): Promise<{ problems: ImportError['problems']; unchanged: number }>;
}

export async function openBothWays(): Promise<BothWays> {
  const administration = await openAdministration();
  const { api, home, admin } = administration;
  const send = async (csv: string | Buffer, query: object): Promise<UsersImportView> => {
    const response = await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: admin.email,
      query: { companyId: home.id, changes: 'true', ...query },
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    });
    assert.equal(response.statusCode, 200, response.body);
    return response.json<{ data: UsersImportView }>().data;
  };
  return {
    administration,
    check: (csv) => send(csv, { dryRun: 'true' }),
    bring: (csv) => send(csv, {}),
    async byFolder(csv, options = {}) {
      await using folder = await makeFolder({ 'users.csv': csv });
      try {
        const { files } = await importFolder(api.db, folder.path, options);
        return { problems: [], unchanged: files[0]?.unchanged ?? 0 };
      } catch (error) {
        assert.ok(error instanceof ImportError, String(error));
        return { problems: error.problems, unchanged: 0 };
      }
    },
    [Symbol.asyncDispose]: () => administration[Symbol.asyncDispose](),
  };
}

/** Returns what the service reports of a table: problems, and the optional values that it leaves out. */
export const reported = ({ problems, leftOut = [] }: UsersImportView) =>
  [...problems, ...leftOut].sort((left, right) => (left.line ?? 0) - (right.line ?? 0));
