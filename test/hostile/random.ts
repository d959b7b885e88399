import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type ApiDocument, schemaCheck } from '../support/matches-schema.ts';
import { type InputOperation, type RandomRequest, randomRequests } from '../support/random-requests.ts';
import { withoutReferences } from '../support/without-references.ts';
import type { Target } from './target.ts';

/** Requests in flight at once. */
const AT_ONCE = 50;

/** Sends so many random requests to each operation of the published document, and counts the statuses of the answers. */
export async function sendRandomRequests(
  target: Target,
  authorizationFor: (path: string) => string,
  each: number,
  seed: number,
): Promise<{ operations: number; statuses: Map<number, number> }> {
  const answer = await target.send({ method: 'GET', url: '/openapi.json', headers: {} });
  const document = answer.json() as ApiDocument;
  const check = schemaCheck(document);
  const statuses = new Map<number, number>();
  let operations = 0;
  for (const [path, methods] of Object.entries(withoutReferences(document).paths)) {
    for (const [name, operation] of Object.entries(methods)) {
      const method = name.toUpperCase() as RandomRequest['method'];
      const authorization = authorizationFor(path);
      const one = randomRequests(method, path, operation as InputOperation, { authorization });
      const property = fc.asyncProperty(fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
        await Promise.all(
          requests.map(async (request) => {
            const response = await target.send(request);
            const { statusCode, body } = response;
            statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
            assert.ok(statusCode < 500, `${JSON.stringify(request)}: ${statusCode} ${body.slice(0, 500)}`);
            // To check the full list of cities takes longer than all else.
            if (statusCode !== 304 && body.length < 1_000_000) check({ method, path }, response);
          }),
        );
      });
      await fc.assert(property, { numRuns: Math.ceil(each / AT_ONCE), seed, endOnFailure: true });
      operations += 1;
    }
  }
  return { operations, statuses };
}
