import { Agent, request as httpRequest } from 'node:http';
import { residentMegabytes } from '../../bench/support/process-figures.ts';
import { buildCommandLine, type CommandLine } from '../support/command-line.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { sendAtRate } from '../support/send-at-rate.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';

const CONNECTIONS = 100;

/** What is asked for, in hundredths of all requests, and by whom; `n` counts up. */
const MIX: readonly {
  share: number;
  email?: string;
  path: (n: number, companyId: string) => string;
  body?: (n: number) => object;
}[] = [
  { share: 25, path: (n) => `/api/cities/list?search=${needle(n)}&isPaginationNeeded=true&page=${1 + (n % 3)}` },
  { share: 10, path: (n) => `/api/states/list?countryId=${1 + (n % 200)}&isPaginationNeeded=true` },
  { share: 5, path: () => '/api/countries/list?isPaginationNeeded=true&limit=100' },
  { share: 20, email: 'employee@acme.example', path: () => '/api/users/profile' },
  {
    share: 5,
    email: 'employee@acme.example',
    path: () => '/api/users/update-profile',
    body: (n) => ({ phone: `+91 98450 ${10_000 + (n % 90_000)}` }),
  },
  { share: 15, email: 'super.admin@orgdesk.example', path: (n) => `/api/companies/list?page=1&search=${needle(n)[0]}` },
  { share: 10, email: 'manager@acme.example', path: (_, companyId) => `/api/departments/list?companyId=${companyId}` },
  {
    share: 10,
    email: 'admin@acme.example',
    path: (_, companyId) => `/api/approval-policies/list?companyId=${companyId}`,
  },
];

/** Two letters, another pair for each of 676 numbers. */
function needle(n: number): string {
  return String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26));
}

/** What was seen; times in milliseconds, memory of the service's process in megabytes at the beginning and at the end. */
export interface SteadyLoad {
  requests: number;
  p50: number;
  p99: number;
  slowest: number;
  memory: { before: number; after: number };
  /** What was wrong with each answer that was no success. */
  failures: readonly string[];
}

/**
 * Sends so many requests a second, whether the service keeps up or not, of all kinds together, to the service as it is installed,
 * after a minute at the most in which nothing is counted.
 */
export async function bearSteadyLoad({ seconds, rate }: { seconds: number; rate: number }): Promise<SteadyLoad> {
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  await using commandLine = buildCommandLine();
  const settings = {
    DATABASE_URL: databaseUrl(server.url, `${templates.prefix}_demo`),
    DATA_DIR: `${commandLine.folder}/data`,
    LOG_LEVEL: 'error',
  };
  const service = await commandLine.serve(settings);
  const requests = await requestsOf(service.address, (email) => authorizationOf(commandLine, settings, email));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    await bear(requests, agent, Math.min(60, seconds), rate);
    const before = residentMegabytes(service.pid);
    const { latencies, failures } = await bear(requests, agent, seconds, rate);
    const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
    return {
      requests: latencies.length,
      p50: quantile(0.5),
      p99: quantile(0.99),
      slowest: latencies.at(-1) ?? Number.NaN,
      memory: { before, after: residentMegabytes(service.pid) },
      failures,
    };
  } finally {
    agent.destroy();
  }
}

type Send = (n: number, agent: Agent) => Promise<string | undefined>;

/** A hundred ways to ask, mixed as {@link MIX} says. */
async function requestsOf(address: string, authorizationOf: (email: string) => Promise<string>): Promise<Send[]> {
  const slots: Send[] = [];
  for (const { share, email, path, body } of MIX) {
    const headers = email === undefined ? {} : { authorization: await authorizationOf(email) };
    const companyId = email === undefined ? '' : await companyOf(address, headers);
    const send: Send = (n, agent) => ask(agent, address + path(n, companyId), headers, body?.(n));
    slots.push(...Array<Send>(share).fill(send));
  }
  // 37 and 100 have no divisor in common: each slot once, its neighbours far away.
  return slots.map((_, place) => slots[(place * 37) % slots.length] as Send);
}

async function companyOf(address: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${address}/api/users/profile`, { headers });
  return ((await response.json()) as { data: { companyId: string } }).data.companyId;
}

/** @returns what was wrong; undefined where the answer is a success */
function ask(agent: Agent, url: string, headers: Record<string, string>, body?: object): Promise<string | undefined> {
  const payload = body && JSON.stringify(body);
  const method = payload === undefined ? 'GET' : 'POST';
  return new Promise((resolve) => {
    const request = httpRequest(
      url,
      { agent, method, headers: payload ? { ...headers, 'content-type': 'application/json' } : headers },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200 ? undefined : `${url}: ${response.statusCode}`));
      },
    );
    request.on('error', (error) => resolve(`${url}: ${error.message}`));
    request.end(payload);
  });
}

/** @returns milliseconds from when a request was due until its answer was there, in ascending order */
async function bear(requests: readonly Send[], agent: Agent, seconds: number, rate: number) {
  const total = seconds * rate;
  const latencies = new Float64Array(total);
  const failures: string[] = [];
  await sendAtRate({ rate, times: total }, async (n, due) => {
    const failure = await requests[n % requests.length]?.(n, agent);
    latencies[n] = performance.now() - due;
    if (failure !== undefined) failures.push(failure);
  });
  return { latencies: latencies.sort(), failures };
}

async function authorizationOf(commandLine: CommandLine, settings: Record<string, string>, email: string) {
  const { code, stdout, stderr } = await commandLine.run(['token', email], settings);
  if (code !== 0) throw new Error(stderr);
  return `Bearer ${stdout.trim()}`;
}
