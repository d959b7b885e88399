import { deepEqual } from 'node:assert/strict';
import { fetchOnce } from '../support/load.ts';
import type { ApiCase } from './cases.ts';
import type { NamedServer } from './servers.ts';

/** Requests of each case that are looked at. */
const SAMPLES = 5;

/** Checks that all servers give the same JSON to the first requests of a case. @throws Error that names the server, and what differs */
export async function checkSameAnswers(
  { name, requests, momentary = [] }: ApiCase,
  [first, ...others]: readonly NamedServer[],
): Promise<void> {
  if (first === undefined) return;
  for (let number = 0; number < SAMPLES; number++) {
    const request = requests(number);
    const expected = await answerOf(first, request);
    for (const other of others) {
      const answer = await answerOf(other, request);
      try {
        deepEqual(answer, expected);
      } catch (error) {
        throw new Error(`${name}: ${other.name} does not answer as ${first.name} does`, { cause: error });
      }
    }
  }

  async function answerOf({ server }: NamedServer, request: Buffer): Promise<unknown> {
    const answer = await fetchOnce(server.port, request);
    const json = JSON.parse(answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4)) as {
      data: Record<string, unknown>;
    };
    for (const field of momentary) {
      if (typeof json.data[field] !== 'string') throw new Error(`${name}: ${field} is missing`);
      delete json.data[field];
    }
    return json;
  }
}
