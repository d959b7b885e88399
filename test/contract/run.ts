import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { document } from '../documentation/published-document.ts';
import type { ErrorBody } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { publishedSchemaCheck } from '../support/matches-schema.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { openCast } from './callers.ts';
import { Random } from './random.ts';
import { isRuleInWords, withRules } from './rules-in-words.ts';
import { type Schema, validValue, violationsOf } from './values.ts';

/*
 * Sends requests that are made from the published contract, by every kind of caller: half of them hold to it, half break it in one place. Ends
 * with 1 where an answer is none of the contract, a request that holds to it is refused for its form, or one that breaks it is accepted.
 * `--requests 2000` for fewer, `--seed 1` for the same ones again.
 */
const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 20_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const random = new Random(seed);

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  schema: Schema;
  /** Of a parameter that is JSON, instead of the schema. */
  content?: Readonly<Record<string, { schema: Schema }>>;
}
interface Described {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}
interface Target {
  method: 'GET' | 'POST';
  path: string;
  operation: Described;
  accepts: ValidateFunction;
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
  uri: /^[a-z]+:/i,
  decimal: /^(?:-?\d+(?:\.\d+)?)?$/,
};
const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, formats: FORMATS });
const targets: Target[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => {
    const operation = described as unknown as Described;
    const schema = operation.requestBody?.content['application/json']?.schema ?? {};
    return { method: method.toUpperCase() as Target['method'], path, operation, accepts: ajv.compile(schema) };
  }),
);

await using api = await buildTestApp({ MAX_REQUESTS_IN_FLIGHT: '1000' }, openDemoDatabase, {
  resolveTexts: async () => [],
});
const cast = await openCast(api);
const check = publishedSchemaCheck();
/** By what differs, how often and the first request. */
const differences = new Map<string, { count: number; sample: string }>();
const statuses = new Map<number, number>();
const succeeded = new Set<string>();
let violations = 0;

for (let sent = 0; sent < requests; sent++) {
  if (sent % 250 === 0) await cast.refresh();
  await tryOne(targets[sent % targets.length] ?? assert.fail());
}
report();

/** Sends one request, and notes what differs from the contract. */
async function tryOne(target: Target): Promise<void> {
  const { method, path, operation, accepts } = target;
  const caller = random.pick(cast.callers);
  const ids = cast.idsFor(path);
  const parameters = (operation.parameters ?? [])
    .filter((each) => each.in === 'query')
    .map((each) => ({ ...each, schema: each.content?.['application/json']?.schema ?? each.schema }));
  const body = operation.requestBody?.content['application/json']?.schema;
  let query = withRules(operation.operationId, validQuery(parameters));
  let payload = body && withRules(operation.operationId, validValue(body, '', ids, random) as Record<string, unknown>);
  assert.ok(
    payload === undefined || accepts(payload),
    `${operation.operationId}: ${JSON.stringify([payload, accepts.errors])}`,
  );
  let broken: string | undefined;
  if (random.chance(0.5)) {
    if (body !== undefined) {
      const possible = violationsOf(payload, body).filter(({ value }) => value !== null && !accepts(plain(value)));
      const violation = possible.length > 0 ? random.pick(possible) : undefined;
      if (violation) [payload, broken] = [violation.value as typeof payload, violation.rule];
    } else {
      const violation = brokenQuery(parameters, query);
      if (violation) [query, broken] = violation;
    }
  }
  const search = new URLSearchParams(query).toString();
  const csv = operation.requestBody?.content['text/csv'];
  const request: InjectOptions = {
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: {
      ...caller.headers,
      ...(csv ? { 'content-type': 'text/csv' } : {}),
      ...(random.chance(0.2) ? { accept: 'application/problem+json' } : {}),
      ...(method === 'POST' && random.chance(0.2) ? { 'idempotency-key': random.uuid() } : {}),
    },
    ...(csv
      ? { payload: random.pick([String(csv.example), 'email\nnobody', 'x']) }
      : payload === undefined
        ? {}
        : { payload }),
  };
  const response = await api.app.inject(request);
  statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
  if (response.statusCode === 200) succeeded.add(operation.operationId);
  if (broken) violations += 1;
  const named = { ...request, headers: { ...(request.headers as object), authorization: caller.name } };
  for (const fault of faultsOf(target, response, broken)) {
    const known = differences.get(`${operation.operationId}: ${fault}`);
    const sample = `${JSON.stringify(named).slice(0, 600)}\n    ${response.statusCode} ${response.body.slice(0, 400)}`;
    differences.set(`${operation.operationId}: ${fault}`, {
      count: (known?.count ?? 0) + 1,
      sample: known?.sample ?? sample,
    });
  }

  function validQuery(all: readonly Parameter[]): Record<string, string> {
    const some = all.filter(({ name, required }) => required || name === 'isPaginationNeeded' || random.chance(0.3));
    return Object.fromEntries(
      some.map(({ name, schema }) => {
        // The full list of cities says no more than a page of it, and nobody waits for changes.
        const value =
          name === 'isPaginationNeeded' ? true : name === 'wait' ? 0 : validValue(schema, name, ids, random);
        return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
      }),
    );
  }
}

/** What a request is as JSON. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Breaks one rule of a query; undefined where there is none to be broken. */
function brokenQuery(
  parameters: readonly Parameter[],
  query: Readonly<Record<string, string>>,
): [Record<string, string>, string] | undefined {
  const possible = parameters.flatMap(({ name, schema, required }): [Record<string, string>, string][] => {
    const { [name]: present, ...others } = query;
    const missing: [Record<string, string>, string][] = required ? [[others, `lacks ${name}`]] : [];
    if (present === undefined) return missing;
    const type = [schema.type].flat()[0];
    const wrong =
      type === 'integer'
        ? [
            '1.5',
            'x',
            ...(schema.minimum === undefined ? [] : [String(schema.minimum - 1)]),
            ...(schema.maximum === undefined ? [] : [String(schema.maximum + 1)]),
          ]
        : type === 'boolean' || type === 'object'
          ? ['maybe', '2']
          : violationsOf(present, schema).flatMap(({ value }) =>
              typeof value === 'string' && value !== '' ? [value] : [],
            );
    return [
      ...missing,
      ...wrong.map((value): [Record<string, string>, string] => [{ ...query, [name]: value }, `${name} is wrong`]),
    ];
  });
  return possible.length > 0 ? random.pick(possible) : undefined;
}

/** What of an answer is none of the contract. */
function faultsOf(
  { method, path, operation }: Target,
  response: LightMyRequestResponse,
  broken: string | undefined,
): string[] {
  const { statusCode: status } = response;
  const faults: string[] = [];
  const isNamed = status in operation.responses;
  if (status >= 500) faults.push(`fails with ${status}`);
  if (!isNamed && (status < 405 || status === 409 || status === 412))
    faults.push(`answers ${status}, which it does not name`);
  if (response.headers['x-request-id'] === undefined) faults.push('has no X-Request-Id');
  try {
    check({ method, path }, response);
  } catch (error) {
    faults.push((error as Error).message.split('\n', 1)[0] ?? '');
  }
  if (broken !== undefined && ![400, 401, 403, 431].includes(status))
    faults.push(`answers ${status} although ${broken}`);
  if (broken === undefined && status === 400) {
    for (const problem of response.json<ErrorBody>().errors ?? [{ field: '', code: 'MALFORMED', message: '' }]) {
      if (!isRuleInWords(operation.operationId, problem))
        faults.push(
          `refuses ${problem.field.replaceAll(/\d+/g, '#')}: ${problem.code} ${problem.message.slice(0, 90)}`,
        );
    }
  }
  return faults;
}

function report(): void {
  for (const [what, { count, sample }] of differences) process.stdout.write(`${count} × ${what}\n    ${sample}\n`);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(
    `${requests} requests with seed ${seed}, ${violations} with one violation, to ${targets.length} operations by ` +
      `${cast.callers.length} callers: ${counts.join(', ')}; ${succeeded.size} operations succeeded; ${differences.size} differences\n`,
  );
  const never = targets.map(({ operation }) => operation.operationId).filter((id) => !succeeded.has(id));
  if (never.length > 0) process.stdout.write(`Never successful: ${never.join(', ')}\n`);
  if (differences.size > 0) process.exitCode = 1;
}
