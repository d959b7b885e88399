import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommandLine } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import type { CheckedAnswer } from '../support/matches-schema.ts';
import type { RandomRequest } from '../support/random-requests.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { parseScrape } from '../support/scrape.ts';

/** The service that is attacked: as it is installed, on the embedded database, with the demo and all places. */
export interface Target extends AsyncDisposable {
  port: number;
  /** The header that lets somebody of the demo in. */
  authorizationOf(email: string): Promise<string>;
  send(request: RandomRequest): Promise<CheckedAnswer>;
  /** Memory that the process holds (VmRSS), in MB. */
  memory(): number;
  /** A figure of the service's metrics, by the name of its series. */
  figure(series: string): Promise<number>;
}

/** @param more environment variables */
export async function startTarget(more: Readonly<Record<string, string>> = {}): Promise<Target> {
  const commandLine = buildCommandLine();
  const metricsPort = await freePort();
  const settings = {
    DATA_DIR: `${commandLine.folder}/data`,
    LOG_LEVEL: 'error',
    METRICS_PORT: String(metricsPort),
    ...more,
  };
  const service = await commandLine.serve(settings);
  const port = Number(new URL(service.address).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  return {
    port,
    async authorizationOf(email) {
      const { code, stdout, stderr } = await commandLine.run(['token', email], settings);
      assert.equal(code, 0, stderr);
      return `Bearer ${stdout.trim()}`;
    },
    send: (request) => send(port, agent, request),
    memory: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024,
    async figure(series) {
      const { body } = await exchange(metricsPort, requestText('GET /metrics'));
      return parseScrape(body).figures.get(series) ?? 0;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const errors = service.log();
      await commandLine[Symbol.asyncDispose]();
      assert.equal(errors, '', 'the service wrote errors into its log');
    },
  };
}

function send(port: number, agent: Agent, { method, url, headers, payload }: RandomRequest): Promise<CheckedAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, agent, method, path: url, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(pieces).toString();
        const { statusCode = 0, headers: received } = response;
        resolve({ statusCode, headers: received, body, json: () => JSON.parse(body) });
      });
    });
    request.on('error', reject);
    request.end(payload);
  });
}

/** How others fare while the service is attacked. */
export interface Witness {
  /** Requests of others that were answered, and the longest that one of them waited, in milliseconds. */
  served: number;
  slowest: number;
  /** MB by which the memory of the service grew at most. */
  growth: number;
}

const OF_OTHERS = ['/api/countries/list?isPaginationNeeded=true', '/api/users/profile', '/api/states/list'];

/** Does something, and asks meanwhile for a page, a profile and a full list, twenty times a second; each has to be answered. */
export async function witness(target: Target, authorization: string, attack: () => Promise<void>): Promise<Witness> {
  const seen: Witness = { served: 0, slowest: 0, growth: 0 };
  const before = target.memory();
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      for (const url of OF_OTHERS) {
        const start = performance.now();
        const { statusCode, body } = await target.send({ method: 'GET', url, headers: { authorization } });
        assert.equal(statusCode, 200, `Another caller got ${statusCode} ${body}`);
        seen.slowest = Math.max(seen.slowest, performance.now() - start);
        seen.served += 1;
      }
      seen.growth = Math.max(seen.growth, target.memory() - before);
      await sleep(50);
    }
  };
  const watching = watch();
  // Reported below, when the attack is over.
  watching.catch(() => undefined);
  try {
    await attack();
  } finally {
    isOver = true;
  }
  await watching;
  return seen;
}
