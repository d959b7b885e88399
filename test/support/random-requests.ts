import * as fc from 'fast-check';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';

/** A schema of the published document, as far as requests are made from it. */
export interface InputSchema {
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, InputSchema>>;
  items?: InputSchema;
  anyOf?: readonly InputSchema[];
  required?: readonly string[];
  default?: unknown;
}

/** An operation of the published document, as far as requests are made from it. */
export interface InputOperation {
  parameters?: readonly {
    in: string;
    name: string;
    required: boolean;
    schema?: InputSchema;
    /** Of a parameter that is JSON, instead of the schema. */
    content?: Readonly<Record<string, { schema: InputSchema }>>;
    example?: unknown;
  }[];
  requestBody?: { content: Readonly<Record<string, { schema: InputSchema }>> };
}

export interface RandomRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** What asks for a page and not for everything: answers in full are long, and so are rare among the requests. */
const PAGED = 'isPaginationNeeded';
/** Seconds to wait for an answer, which thousands of requests do not. */
const WAIT = 'wait';

const anyText = fc.oneof(fc.constantFrom(...NAUGHTY_STRINGS), fc.string({ unit: 'binary' }), fc.string());
const wild = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constant([['a'], 'b']),
);

function valid({
  type,
  format,
  pattern,
  enum: values,
  minimum = -10,
  maximum = 160_000,
  maxLength = 40,
  examples = [],
  properties,
  required = [],
  items,
  anyOf,
}: InputSchema): fc.Arbitrary<unknown> {
  if (anyOf) return fc.oneof(...anyOf.map(valid));
  const types = [type].flat();
  const kinds: fc.Arbitrary<unknown>[] = [];
  if (values) kinds.push(fc.constantFrom(...values));
  else if (types.includes('integer')) {
    // Long pages say no more than short ones, and take long.
    kinds.push(fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) }), fc.constantFrom(minimum, maximum));
  } else if (types.includes('boolean')) kinds.push(fc.boolean());
  else if (format === 'uuid') kinds.push(fc.uuid());
  else if (pattern?.includes('externalId:'))
    kinds.push(
      fc.uuid(),
      fc.string({ minLength: 1, maxLength: 40 }).map((id) => `externalId:${id}`),
    );
  else if (format === 'date') kinds.push(fc.constantFrom('2026-01-01', '2026-12-31'));
  else if (format === 'email') kinds.push(fc.emailAddress());
  else if (types.includes('string')) kinds.push(fc.string({ maxLength }), fc.constantFrom('a', 'new', 'tr', 'é'));
  else if (properties) kinds.push(inputs(Object.entries(properties), required));
  else if (items) kinds.push(fc.array(valid(items), { maxLength: 4 }));
  else if (types.includes('object')) kinds.push(fc.constant({}));
  if (types.includes('null')) kinds.push(fc.constant(null));
  if (kinds.length === 0) kinds.push(fc.constantFrom<unknown>('a', 1, true, null));
  if (examples.length === 0) return fc.oneof(...kinds);
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, ...kinds);
}

/** A valid value with something about it that may make it another. */
function nearly(schema: InputSchema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 2 ** 53, maxLength = 255 } = schema;
  const changes: readonly ((value: unknown) => unknown)[] = [
    (value: unknown) => text(value),
    (value: unknown) => ` ${text(value)} `,
    (value: unknown) => `${text(value)}\0`,
    (value: unknown) => [value],
    (value: unknown) => [value, value],
    (value: unknown) => ({ value }),
    (value: unknown) => text(value).toUpperCase(),
    (value: unknown) => `-${text(value)}`,
    (value: unknown) => `${text(value)}.0`,
    () => minimum - 1,
    () => maximum + 1,
    () => 'x'.repeat(maxLength + 1),
    () => '',
    () => null,
  ];
  return fc.tuple(valid(schema), fc.constantFrom(...changes)).map(([value, change]) => change(value));
}

/** Values for some of the fields, mostly for those that are required, and some for names that nobody knows. */
function inputs(
  fields: readonly (readonly [string, InputSchema])[],
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const known = fields.map(([name, schema]): [string, fc.Arbitrary<unknown>] => {
    const absent = fc.constant(undefined);
    if (name === WAIT) return [name, fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, '0') }, wild, absent)];
    const kinds = [nearly(schema), wild, absent];
    if (name === PAGED) {
      const paged = { weight: 400, arbitrary: fc.constantFrom<unknown>(true, 'true') };
      return [name, fc.oneof(paged, ...kinds.map((arbitrary) => ({ weight: 1, arbitrary })))];
    }
    // Of many fields, about one is wrong.
    const often = Math.max(1, fields.length / 10);
    const weight = Math.round((required.includes(name) ? 40 : 4) * often);
    // Of an object each field may be wrong.
    const absentWeight = schema.properties ? 60 : required.includes(name) ? 8 : Math.round(8 * often);
    return [
      name,
      fc.oneof({ weight, arbitrary: valid(schema) }, { weight: absentWeight, arbitrary: absent }, ...kinds),
    ];
  });
  const unknown = fc.dictionary(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'id', 'roles'), anyText), wild, {
    maxKeys: 2,
  });
  return fc
    .tuple(fc.record(Object.fromEntries(known)), fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, unknown))
    .map(([values, more]) => ({ ...more, ...values }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Each value as texts, as a list where it is one. */
function queryString(values: Record<string, unknown>): string {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, text(one)]),
    ),
  ).toString();
}

const visible = fc.stringMatching(/^[ -~]{0,40}$/).map((text) => text.trim());
/** What is looked at of the headers; nothing of what frames a request. */
const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: fc.oneof(fc.constantFrom('application/problem+json', 'application/problem+json;q=0', '*/*'), visible),
  'if-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"', '"a", "b"', '"'), visible),
  'if-none-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"', '"a", "b"', '"'), visible),
  'x-request-id': fc.oneof(fc.uuid(), visible),
  'sec-purpose': fc.constantFrom('prefetch', 'none', ''),
  origin: fc.oneof(fc.webUrl(), visible),
  'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), visible),
  'content-type': fc.oneof(
    fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/json;'),
    visible,
  ),
  authorization: fc.oneof(
    visible,
    visible.map((text) => `Bearer ${text}`),
  ),
};
const oneHeader = fc.oneof(
  ...Object.entries(HEADERS).map(([name, value]) => value.map((text): Record<string, string> => ({ [name]: text }))),
);
const headers = fc.tuple(oneHeader, oneHeader).map(([one, other]) => ({ ...one, ...other }));

/** Tables of people, and what is nearly one. */
const tables = fc
  .array(
    fc.array(fc.oneof(fc.string(), fc.constantFrom('email', 'a@x.example', '"', '\r\n', 'roles')), { maxLength: 4 }),
  )
  .map((rows) => rows.map((row) => row.join()).join('\n'));

/**
 * Requests to one operation, made from what is published about it: valid, nearly valid and wild parameters, bodies and headers.
 *
 * @param good headers that make a request one that is let in, with its host
 */
export function randomRequests(
  method: RandomRequest['method'],
  path: string,
  { parameters = [], requestBody }: InputOperation,
  good: Record<string, string>,
): fc.Arbitrary<RandomRequest> {
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, content, schema = content?.['application/json']?.schema ?? {}, example }): [string, InputSchema] => [
      name,
      example === undefined ? schema : { ...schema, examples: [example] },
    ]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const body = requestBody?.content['application/json']?.schema ?? {};
  const bodies = inputs(Object.entries(body.properties ?? {}), body.required ?? []);
  const payload = fc.oneof(
    ...(requestBody?.content['text/csv'] ? [{ weight: 12, arbitrary: tables }] : []),
    { weight: 12, arbitrary: bodies.map((values) => JSON.stringify(values)) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.tuple(bodies, fc.nat(40)).map(([values, cut]) => JSON.stringify(values).slice(cut)),
    },
  );
  const type = requestBody?.content['text/csv'] ? 'text/csv' : 'application/json';
  const more = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers });
  return fc.tuple(inputs(inQuery, required), payload, more).map(([query, text, others]) => {
    const search = queryString(query);
    const url = search === '' ? path : `${path}?${search}`;
    if (method === 'GET') return { method, url, headers: { ...good, ...others } };
    return { method, url, headers: { 'content-type': type, ...good, ...others }, payload: text };
  });
}
