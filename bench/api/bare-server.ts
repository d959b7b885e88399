import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import type { Sql } from 'sql-template-tag';
import { findCallers } from '../../src/auth/caller-queries.ts';
import type { Executor } from '../../src/db/database.ts';
import { listApprovalPolicies } from '../../src/features/approval-policies/approval-policies-queries.ts';
import { listCompanies } from '../../src/features/companies/companies-queries.ts';
import { listDepartments } from '../../src/features/departments/departments-queries.ts';
import { findProfiles, type ProfileRow, updateProfile } from '../../src/features/profile/profile-queries.ts';
import { profileView, reducedProfileView } from '../../src/features/profile/profile-views.ts';
import { envelope, pageEnvelope } from '../../src/http/envelope.ts';
import { DEFAULT_PAGE, type Page } from '../../src/http/pagination.ts';
import { COMPANIES, departmentsOf, PATCHED_FIELDS, policiesOf } from './cases.ts';
import type { Subjects } from './subjects.ts';

/*
 * The least that such a service can be: node:http and postgres.js. It sends the statements that orgdesk sends, their texts
 * ready, and what comes of them as JSON. Nothing is checked: a token stands for a person without being looked at. The
 * first argument names a file with the subjects.
 */
const subjects = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Subjects;
const { staff, managers, companyId, people } = subjects;
const userIds = new Map([...staff, ...managers, ...people].map(({ authorization, userId }) => [authorization, userId]));

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10, fetch_types: false });

type Values = postgres.ParameterOrJSON<never>[];

interface Statement {
  text: string;
  values: Values;
}

async function run<Row>({ text, values }: Statement): Promise<Row[]> {
  return (await sql.unsafe(text, values, { prepare: true })) as unknown as Row[];
}

/** The statement that a query of orgdesk sends. */
async function statementOf(query: (db: Executor) => Promise<unknown>): Promise<Statement> {
  let sent: Sql | undefined;
  const recorder: Executor = {
    query: async (statement) => {
      sent = statement;
      return [];
    },
  };
  // Some object to an answer without rows.
  await query(recorder).catch(() => undefined);
  if (sent === undefined) throw new TypeError('No statement was sent');
  return { text: sent.text, values: sent.values as Values };
}

/** The same statement with other values in the place of some. */
function withValues({ text, values }: Statement, others: Readonly<Record<string, string>>): Statement {
  return { text, values: values.map((value) => (typeof value === 'string' ? (others[value] ?? value) : value)) };
}

const USER = 'of the user';
const USERS = JSON.stringify([USER]);
const REQUEST = 'of the request';
const FIELDS = Object.fromEntries(PATCHED_FIELDS.map((field) => [field, field]));
const caller = await statementOf((db) => findCallers(db, [{ userId: USER }]));
const profile = await statementOf((db) => findProfiles(db, [{ userId: USER }]));
const update = await statementOf((db) => updateProfile(db, { userId: USER, requestId: REQUEST }, FIELDS));

interface List {
  message: string;
  statement: Statement;
}

const lists = new Map<string, List>([
  [
    COMPANIES,
    {
      message: 'Companies retrieved successfully',
      statement: await statementOf((db) => listCompanies(db, {}, DEFAULT_PAGE)),
    },
  ],
  [
    departmentsOf(companyId),
    {
      message: 'Departments retrieved successfully',
      statement: await statementOf((db) => listDepartments(db, { companyId }, DEFAULT_PAGE)),
    },
  ],
  [
    policiesOf(companyId),
    {
      message: 'Approval Policies retrieved successfully',
      statement: await statementOf((db) => listApprovalPolicies(db, { companyId }, DEFAULT_PAGE)),
    },
  ],
]);

async function answer(request: IncomingMessage): Promise<unknown> {
  const userId = userIds.get(request.headers.authorization ?? '') ?? '';
  const user = { [USER]: userId, [USERS]: JSON.stringify([userId]) };
  const list = lists.get(request.url ?? '');
  if (list !== undefined) {
    await run(withValues(caller, user));
    const [page] = await run<Page<unknown>>(list.statement);
    return page && pageEnvelope(list.message, page, DEFAULT_PAGE);
  }
  if (request.method === 'GET') {
    const [row] = await run<ProfileRow>(withValues(profile, user));
    return row && envelope('User profile retrieved successfully', profileView(row));
  }
  const patch = JSON.parse(await bodyOf(request)) as Record<string, string>;
  await run(withValues(profile, user));
  const [row] = await run<ProfileRow>(withValues(update, { ...user, ...patch, [REQUEST]: 'a bare request' }));
  return row && envelope('Profile updated successfully', reducedProfileView(row));
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, status: number, content: unknown): void {
  const body = Buffer.from(JSON.stringify(content));
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
}

const server = createServer((request, response) => {
  answer(request).then(
    (content) => send(response, content === undefined ? 404 : 200, content ?? {}),
    (error: unknown) => send(response, 500, { message: String(error) }),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
