import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import postgres from 'postgres';
import type { Sql } from 'sql-template-tag';
import { envelope } from '../../src/api/output.ts';
import { paginationOf } from '../../src/api/pagination.ts';
import { findCallers } from '../../src/auth/callers/identity-queries.ts';
import type { Caller } from '../../src/auth/callers/roles.ts';
import type { Reader, Writer } from '../../src/db/database.ts';
import type { Page } from '../../src/db/sql/select-page.ts';
import { approvalPolicies } from '../../src/features/approval-policies/approval-policies-queries.ts';
import { evaluate } from '../../src/features/approval-policies/evaluate.ts';
import { listCompanies } from '../../src/features/companies/companies-queries.ts';
import { departments } from '../../src/features/departments/departments-operations.ts';
import { listUsers } from '../../src/features/people/users-queries.ts';
import { findProfiles, type ProfileRow, updateProfile } from '../../src/features/profile/profile-queries.ts';
import { profileView, reducedProfileView } from '../../src/features/profile/profile-views.ts';
import { COMPANIES, DEPARTMENTS, EVALUATION, PATCHED_FIELDS, PEOPLE, POLICIES, PROFILE } from './cases.ts';
import type { Caller as Asking } from './data.ts';

/*
 * The least that such a service can be: node:http and postgres.js. It sends the statements that orgdesk sends, their texts
 * ready, and what comes of them as JSON; whose token it is it looks up each time. Nothing is checked: a token stands for a person
 * without being verified. The first argument names a file with the callers.
 */
const callers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Asking[];
const userIds = new Map(callers.map(({ authorization, userId }) => [authorization, userId]));

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10 });

type Value = postgres.ParameterOrJSON<never>;

interface Statement {
  text: string;
  values: Value[];
}

/** Runs a statement, with other values in the place of some. */
async function run<Row>({ text, values }: Statement, others: ReadonlyMap<Value, Value>): Promise<Row[]> {
  const given = values.map((value) => others.get(value) ?? value);
  return (await sql.unsafe(text, given, { prepare: true })) as unknown as Row[];
}

/** The statement that a query of orgdesk sends. */
async function statementOf(query: (db: Writer) => Promise<unknown>): Promise<Statement> {
  let sent: Sql | undefined;
  const recorder: Writer = {
    mayWrite: true,
    query: async (statement) => {
      sent = statement;
      return [];
    },
  };
  // Some object to an answer without rows.
  await query(recorder).catch(() => undefined);
  if (sent === undefined) throw new TypeError('No statement was sent');
  return { text: sent.text, values: sent.values as Value[] };
}

// Values of the statements that others stand for.
const USER = 'of the user';
const USERS = JSON.stringify([USER]);
const REQUEST = 'of the request';
const COMPANY = 'of the company';
const THIRD_PAGE = { page: 3, limit: 10 };
const OFFSET = 20;
/** Of companies without their own: the default of the service. */
const CURRENCY = 'INR';

const FIELDS = Object.fromEntries(PATCHED_FIELDS.map((field) => [field, field]));
const caller = await statementOf((db) => findCallers(db, [{ userId: USER }]));
const profile = await statementOf((db) => findProfiles(db, [{ userId: USER }]));
const update = await statementOf((db) => updateProfile(db, { kind: 'user', userId: USER, requestId: REQUEST }, FIELDS));
/** What the update writes: the names of fields, and of the user, by their columns. */
const WRITTEN = String(update.values[0]);
const COLUMNS = Object.entries(JSON.parse(WRITTEN) as Record<string, string>);
const lists = new Map([
  [
    COMPANIES,
    {
      message: 'Companies retrieved successfully',
      statement: await statementOf((db) => listCompanies(db, {}, THIRD_PAGE)),
    },
  ],
  [
    DEPARTMENTS,
    {
      message: 'Departments retrieved successfully',
      statement: await statementOf((db) => departments.list(db, { companyId: COMPANY }, THIRD_PAGE)),
    },
  ],
  [
    POLICIES,
    {
      message: 'Approval Policies retrieved successfully',
      statement: await statementOf((db) => approvalPolicies.list(db, { companyId: COMPANY }, THIRD_PAGE)),
    },
  ],
  [
    PEOPLE,
    {
      message: 'Users retrieved successfully',
      statement: await statementOf((db) => listUsers(db, { companyId: COMPANY }, THIRD_PAGE)),
    },
  ],
]);
/** Of an evaluation, whose statements depend on each other, the texts are put together as orgdesk does. */
const reader: Reader = { query: (statement) => run(statement as Statement, new Map()) };

async function answer(request: IncomingMessage): Promise<unknown> {
  const userId = userIds.get(request.headers.authorization ?? '') ?? '';
  const user: [Value, Value][] = [
    [USER, userId],
    [USERS, JSON.stringify([userId])],
  ];
  const [path = '', query] = (request.url ?? '').split('?', 2);
  const list = lists.get(path);
  if (list !== undefined) {
    const requested = parse(query ?? '');
    const [page, limit] = [Number(requested.page), Number(requested.limit)];
    await run(caller, new Map(user));
    const values = new Map<Value, Value>([
      [COMPANY, String(requested.companyId)],
      [OFFSET, (page - 1) * limit],
    ]);
    const [found] = await run<Page<unknown>>(list.statement, values);
    return (
      found && {
        ...envelope(list.message, found.items),
        pagination: paginationOf(found, { page, limit }),
      }
    );
  }
  if (path === EVALUATION) {
    const { id, userId: person, amount } = parse(query ?? '') as Record<string, string>;
    const [asking] = await run<Caller>(caller, new Map(user));
    const input = {
      id,
      companyId: undefined,
      userId: person,
      amount: amount ?? '',
      facts: {},
      on: undefined,
      requestedBy: undefined,
      approvedAmount: undefined,
      currency: undefined,
    };
    const found = asking && (await evaluate(reader, input, asking, CURRENCY));
    return envelope('Approval evaluated successfully', found);
  }
  const [row] = await run<ProfileRow>(profile, new Map(user));
  if (path === PROFILE) return row && envelope('User profile retrieved successfully', profileView(row));
  const patch = JSON.parse(await bodyOf(request)) as Record<string, string>;
  const written = JSON.stringify(Object.fromEntries(COLUMNS.map(([column, name]) => [column, patch[name] ?? userId])));
  const values = new Map<Value, Value>([...user, [WRITTEN, written], [REQUEST, 'a bare request']]);
  const [updated] = await run<ProfileRow>(update, values);
  return updated && envelope('Profile updated successfully', reducedProfileView(updated));
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
