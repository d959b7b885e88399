import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import type { Reader, Writer } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { addCompany, addPerson } from '../../test/support/people.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { JWT_SECRET, loadData } from '../api/data.ts';
import { median } from '../support/medians.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { processorMilliseconds, residentMegabytes } from '../support/process-figures.ts';

/** People of the large company, and times that one line is imported. */
const [PEOPLE, TIMES] = [130_000, 9];

/** A company with an access token of its admin, and the codes of a department and a band. */
interface Company {
  id: string;
  token: string;
  costCode: string;
  code: string;
}

/** Milliseconds of the request, of the processor in the service and in the database, and the megabytes of the service afterwards. */
type Cost = readonly [wall: number, service: number, database: number, memory: number];

/** Measures `POST /api/users/import` on a PostgreSQL server. @returns rows of a table */
export async function byApi(folder: string): Promise<string[][]> {
  await using server = await startPostgresServer(SERVER_SETTINGS);
  await using db = openPostgresDatabase({ url: server.url, maxConnections: 1 });
  await loadData(db, { companies: 1, users: PEOPLE, roles: PEOPLE, bookings: 0 });
  const few = await addCompany(db, 'Few');
  await addPerson(db, { company: few, roles: [['CORPORATE_ADMIN', few]] });
  await db.query(sql`vacuum (analyze)`);
  const [ofMany, ofFew] = await companies(db);
  if (ofMany === undefined || ofFew === undefined) throw new Error('A company is missing');
  await using service = await startOrgdesk(join(folder, 'api'), {
    env: { DATABASE_URL: server.url, JWT_SECRET, RATE_LIMIT_USER: '0', LOG_LEVEL: 'error' },
    processors: '0-1',
  });
  const postmaster = await postmasterOf(db);

  async function bring({ id, token }: Company, csv: string, expected: string, dryRun = false): Promise<Cost> {
    await db.query(sql`checkpoint`);
    const processors = () => [processorMilliseconds(service.pid), ofEndedChildren(postmaster)] as const;
    const [began, [service0, database0]] = [performance.now(), processors()];
    const url = `http://127.0.0.1:${service.port}/api/users/import?companyId=${id}&dryRun=${dryRun}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const text = await (await fetch(url, { method: 'POST', headers, body: csv })).text();
    const wall = performance.now() - began;
    if (!text.includes(expected)) throw new Error(text.slice(0, 1000));
    const [service1, database1] = processors();
    return [wall, service1 - service0, database1 - database0, residentMegabytes(service.pid)];
  }
  const rows: string[][] = [];
  const row = (what: string, cost: Cost, goal?: number) => {
    const [wall, ofService, ofDatabase, memory] = cost;
    const goals = goal === undefined ? ['', ''] : [`≤ ${goal} s`, wall <= goal * 1000 ? 'yes' : 'no'];
    rows.push([what, ...[wall, ofService, ofDatabase].map(seconds), memory.toFixed(0), ...goals]);
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
  };

  let next = 0;
  const newcomers = (company: Company, count: number) => {
    next += count;
    return table(company, next - count, count);
  };
  for (const [what, company] of [
    ['2 people', ofFew],
    ['130,000 people', ofMany],
  ] as const) {
    const costs: Cost[] = [];
    for (let time = 0; time < TIMES; time++) costs.push(await bring(company, newcomers(company, 1), '"added":1,'));
    const middle = ([0, 1, 2, 3] as const).map((at) => median(costs.map((cost) => cost[at])));
    row(`one line, to a company of ${what}`, middle as unknown as Cost);
  }
  const five = newcomers(ofFew, 5000);
  row('5,000 new people: a dry run', await bring(ofFew, five, '"added":5000,', true));
  row('5,000 new people', await bring(ofFew, five, '"added":5000,'), 10);
  const [from, fifty] = [next, newcomers(ofMany, 50_000)];
  row('50,000 new people, to a company of 130,000', await bring(ofMany, fifty, '"added":50000,'), 60);
  row('the same again, all as they were', await bring(ofMany, fifty, '"unchanged":50000,'), 60);
  const changed = table(ofMany, from, 50_000, 'F');
  row('a value changed of each', await bring(ofMany, changed, '"changed":50000,'), 60);
  return rows;
}

/** The companies with an admin, the largest first. */
async function companies(db: Reader): Promise<Company[]> {
  const found = await db.query<Omit<Company, 'token'> & { admin: string }>(sql`
    select held.company_id as id, min(user_id::text) as admin,
           (select min(cost_code) from departments where departments.company_id = held.company_id) as "costCode",
           (select min(code) from employee_bands where employee_bands.company_id = held.company_id) as code
      from company_roles held join users on users.id = user_id and users.active
     where held.role = 'CORPORATE_ADMIN' group by held.company_id order by count(*) desc`);
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  return Promise.all(found.map(async ({ admin, ...company }) => ({ ...company, token: await sign(admin, 7200) })));
}

function table({ costCode, code }: Company, from: number, count: number, gender = ''): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const names = `Ana${number % 977},Lee${number % 1409}`;
    return `brought.${number}@bench.example,${names},+91 ${9_800_000_000 + number},1990-05-14,${gender},${costCode},${code},5000.00,EMPLOYEE\n`;
  });
  return `email,firstName,lastName,phone,dateOfBirth,gender,departmentCostCode,bandCode,approvalLimit,roles\n${lines.join('')}`;
}

async function postmasterOf(db: Writer): Promise<number> {
  const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return Number(statOf(backend?.pid ?? 0)[1]);
}

/** The processor time of connections that have ended, in milliseconds: an import has one of its own. */
function ofEndedChildren(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** What the system tells of a process, from its state on. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}
