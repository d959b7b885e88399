import { LIST_OF, type ListOf } from '../../src/api/input.ts';
import type { Operation } from '../../src/api/operation.ts';
import { type Components, componentName, exampleOf, type Schema } from './components.ts';
import { withExternalIds } from './external-ids.ts';

/** Fields that an example has besides the required ones, by operation: of several one is needed, or they go together. */
export const FURTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  evaluateApprovalPolicy: ['userId'],
  evaluateApprovalPolicyByPost: ['userId'],
  setSubstitute: ['from', 'until'],
  createUser: ['email'],
  requestMove: ['emails'],
  saveUsers: ['create'],
  grantRole: ['companyId'],
  revokeRole: ['companyId'],
  createGroupMapping: ['groupName', 'role'],
  resendWebhookChanges: ['changeId'],
};

/** Describes the JSON body of an operation, with an example. */
export function jsonBody(operation: Operation<never>, operationId: string, shared: Components) {
  const { input, parse } = operation;
  const whole = input as Schema;
  // What has no check of its own is read as a list's parameters are (http/input.ts).
  const properties = Object.entries(whole.properties ?? {}).map(([name, property]): [string, Schema] => [
    name,
    describeDefault(parse ? property : asTaken(property)),
  ]);
  const described: Schema = {
    ...whole,
    title: `${componentName(operation.operationId)}Body`,
    properties: Object.fromEntries(properties),
  };
  const schema = shared.given(withExternalIds(operation, parse ? closed(described) : described));
  const required = (whole.required ?? []).length > 0;
  return { required, content: { 'application/json': { schema, example: bodyExample(operationId, whole) } } };
}

/** Returns what is required, and of a change one field that changes. */
export function bodyExample(operationId: string, { properties = {}, required = [] }: Schema): Record<string, unknown> {
  const [changed] = Object.keys(properties).filter((name) => name !== 'id');
  const isChange = required.every((name) => name === 'id') && changed !== undefined && !('limit' in properties);
  const names = isChange ? [...required, changed] : [...required, ...(FURTHER_FIELDS[operationId] ?? [])];
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

/** Closes the objects of a strict body to other fields, unless they say that these are ignored. */
function closed(schema: Schema): Schema {
  const { properties, items } = schema;
  return {
    ...(properties ? { additionalProperties: false } : {}),
    ...schema,
    ...(items ? { items: closed(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])) }
      : {}),
  };
}

/** What a field has if it is left out, in words: generators take a field with a `default` for one that is required. */
function describeDefault({ default: usual, description = '', ...others }: Schema): Schema {
  return {
    ...others,
    description: usual === undefined ? description : `${description}. ${JSON.stringify(usual)} if omitted`,
  };
}

/** Spec., List cities: "true or the string true". Integers come as digits too; null is absent. */
function asTaken(property: Schema): Schema {
  const { type, ...others } = property;
  const { minimum, maximum, ...words } = others as Schema & { minimum?: number; maximum?: number };
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  switch (type) {
    case 'boolean':
      return { ...others, anyOf: [{ type }, { type: 'string', enum: ['true', 'false'] }, { type: 'null' }] };
    case 'integer':
      return { ...words, anyOf: [{ type, ...bounds }, { type: 'string', pattern: '^-?\\d+$' }, { type: 'null' }] };
    default:
      return { ...withKnownFormat(property), type: ['string', 'null'] };
  }
}

const STANDARD_FORMATS = new Set(['uuid', 'date', 'date-time', 'decimal']);

/** Formats of this service alone, as patterns. */
const PATTERNS: Readonly<Record<string, string>> = {
  'country-code': '^[A-Za-z]{2}$',
  'date-or-date-time': '^\\d{4}-\\d{2}-\\d{2}([Tt].+)?$',
  language: '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2}|-[0-9]{3})?$',
  position: '^\\s*-?\\d+(?:\\.\\d+)?\\s*,\\s*-?\\d+(?:\\.\\d+)?\\s*$',
};

/** Items of lists, as patterns. */
const ITEMS = { integer: '-?\\d+', uuid: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}' } as const;

/** Returns the schema of a parameter without the formats and keywords that only this service knows. */
export function withKnownFormat({ format, [LIST_OF]: list, ...others }: Schema & { [LIST_OF]?: ListOf }): Schema {
  const item = list === undefined ? '' : 'enum' in list ? `(?:${list.enum.join('|')})` : ITEMS[list.type];
  const pattern = list === undefined ? PATTERNS[format ?? ''] : `^\\s*${item}\\s*(?:,\\s*${item}\\s*)*$`;
  if (pattern !== undefined) return { ...others, pattern };
  if (format !== undefined && !STANDARD_FORMATS.has(format)) throw new TypeError(`No tool knows the format ${format}`);
  return format === undefined ? others : { ...others, format };
}
