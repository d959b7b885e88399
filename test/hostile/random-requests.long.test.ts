import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import sql from 'sql-template-tag';
import { describeOperations } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { forPeople } from '../administration/wrong-values.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { publishedSchemaCheck } from '../support/matches-schema.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { type InputOperation, type RandomRequest, randomRequests } from '../support/random-requests.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { withoutReferences } from '../support/without-references.ts';

/** Few, and the same each time; `npm run long -- hostile` sends many, and others each time. */
const REQUESTS = 150;
const SEED = 20_260_101;

const api = await buildTestApp({}, openDemoDatabase);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();
const acme = await companyNamed(api.db, 'Acme');
const everything = await addPerson(api.db, {
  roles: [['CORPORATE_ADMIN', acme]],
  systemRole: { role: 'SUPER_ADMIN', active: true },
});
const authorization = `Bearer ${await api.tokenFor(everything.email)}`;

/** Returns an operation whose body has no fields that API keys alone write, and the address that all but guests need. */
function bodyForPeople(operation: InputOperation): InputOperation {
  const types = Object.entries(operation.requestBody?.content ?? {});
  if (types.length === 0) return operation;
  const content = Object.fromEntries(
    types.map(([type, { schema }]) => {
      const addressed = schema.properties?.workerType && schema.properties.email ? ['email'] : [];
      return [type, { schema: { ...forPeople(schema), required: [...(schema.required ?? []), ...addressed] } }];
    }),
  );
  return { ...operation, requestBody: { content } };
}

describe(`random requests, made from the published document: ${REQUESTS} to each operation`, () => {
  const { paths } = withoutReferences(describeOperations(OPERATIONS)) as unknown as {
    paths: Record<string, Record<string, InputOperation>>;
  };
  // One of the requests may close the company that the others are about.
  beforeEach(() => api.db.query(sql`update companies set active = true where id = ${acme.id}`));

  for (const [path, operations] of Object.entries(paths)) {
    for (const [name, operation] of Object.entries(operations)) {
      const method = name.toUpperCase() as RandomRequest['method'];
      it(`${method} ${path} answers random requests as published, and never with a 5xx`, async () => {
        const statuses = new Set<number>();
        const property = fc.asyncProperty(
          randomRequests(method, path, bodyForPeople(operation), { authorization }),
          async (request) => {
            const response = await api.app.inject(request);
            statuses.add(response.statusCode);
            // A provider that a request before has named cannot be asked.
            const isOutside = path === '/console/config' && response.statusCode === 503;
            assert.ok(response.statusCode < 500 || isOutside, response.body);
            if (response.statusCode !== 304) check({ method, path }, response);
          },
        );
        await fc.assert(property, { numRuns: REQUESTS, seed: SEED });
        // What a request is about may be gone by another, or be there already.
        assert.ok(
          // A webhook is for an address that there is, a mapping has the target that its kind names: chance finds none. A key asks for itself.
          ['/api/webhooks/create', '/api/group-mappings/create', '/api/api-keys/self'].includes(path) ||
            [200, 404, 409].some((status) => statuses.has(status)),
          'none was let in',
        );
        if (operation.parameters?.length || operation.requestBody) assert.ok(statuses.has(400), 'none was wrong');
      });
    }
  }
});
