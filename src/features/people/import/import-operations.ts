import { CSV_BODY, operation } from '../../../api/operation.ts';
import { one } from '../../../api/output.ts';
import { administrators } from '../../../auth/callers/access.ts';
import type { Database } from '../../../db/database.ts';
import type { MailSources } from '../../mails/mails-operations.ts';
import { UsersImportInput, UsersImportView } from './import-schemas.ts';
import { importUsers } from './import-users.ts';

export const importOperation = operation({
  id: 'users.import',
  operationId: 'importUsers',
  tag: 'People',
  summary: 'Import people from CSV',
  description:
    'Creates and updates people of one company from a CSV table, atomically: matched and merged as by `orgdesk ' +
    'import`, under the rules of a create and an update. The columns are those of users.csv without the company, ' +
    'plus department, band and roles. The body may have 10 MiB and 50,000 rows. Problems are reported with their ' +
    'lines, those of a dry run with status 200. For Corporate Admins of the company, and for Super Admins.',
  access: administrators,
  scope: 'users.write',
  writes: true,
  takesCsv: true,
  bodyLimit: CSV_BODY,
  errors: ['ALREADY_EXISTS', 'OUTDATED'],
  refused: UsersImportView,
  input: UsersImportInput,
  output: one(UsersImportView, (input) =>
    'dryRun' in input && input.dryRun === true ? 'Users checked successfully' : undefined,
  ),
  message: 'Users imported successfully',
  handle(call, { db, mails }: MailSources & { db: Database }) {
    const { socket } = call.request.raw;
    const invite = call.input.invite !== false || mails === undefined;
    return importUsers(db, call, { ...call.input, invite }, call.request.body as Buffer, () => !socket.destroyed);
  },
});
