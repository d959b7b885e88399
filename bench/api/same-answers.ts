import { deepEqual } from 'node:assert/strict';
import { fetchOnce } from '../support/load.ts';
import type { ApiCase } from './cases.ts';
import type { NamedServer } from './servers.ts';

/** Checks that all servers give the same JSON to the first request of a case. @throws Error that names the server, and what differs */
export async function checkSameAnswers(
  { name, requests, momentary }: ApiCase,
  servers: readonly NamedServer[],
): Promise<void> {
  const request = Buffer.isBuffer(requests) ? requests : requests[0]?.[0];
  if (request === undefined) throw new TypeError(`${name}: there is no request`);
  const answerOf = async ({ server }: NamedServer) => {
    const answer = await fetchOnce(server.port, request);
    const json = JSON.parse(answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4)) as {
      data: Record<string, unknown>;
    };
    for (const field of momentary) {
      if (typeof json.data[field] !== 'string') throw new Error(`${name}: ${field} is missing`);
      delete json.data[field];
    }
    return json;
  };
  const [first, ...others] = servers;
  if (first === undefined) return;
  const expected = await answerOf(first);
  for (const other of others) {
    try {
      deepEqual(await answerOf(other), expected);
    } catch (error) {
      throw new Error(`${name}: ${other.name} does not answer as ${first.name} does`, { cause: error });
    }
  }
}
