import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes the types and methods of the Python client, from the document: part of `npm run openapi`. With `--check`, ends with 1 where they are
 * others. Of two operations that do the same by GET and POST it has the first.
 */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}
interface Parameter {
  in: string;
  name: string;
  required: boolean;
  schema?: Schema;
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const FILE = new URL('../packages/python/src/orgdesk_client/contract.py', import.meta.url);
const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as {
  info: { version: string };
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  components: { schemas: Record<string, Schema> };
};

const KEYWORDS = new Set([
  'from',
  'for',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'class',
  'def',
  'global',
  'import',
  'pass',
]);
const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Definitions of types, in their order. */
const defined = new Map<string, string>();

function literal(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

/** Returns the type of a schema. @param name of an object that has none of its own */
function typeOf(schema: Schema, name: string): string {
  const { $ref, type, anyOf, items, additionalProperties: others } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (anyOf !== undefined) return union(anyOf.map((each, at) => typeOf(each, at === 0 ? name : `${name}${at + 1}`)));
  const values = schema.const === undefined ? (schema.enum ?? schema['x-extensible-enum']) : [schema.const];
  if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`;
  if (type === undefined) return 'Any';
  return union(
    [type].flat().map((each) => {
      if (each === 'array') return `list[${typeOf(items ?? {}, `${name}Item`)}]`;
      if (each !== 'object') return TYPES[each] ?? 'Any';
      if (schema.properties !== undefined) return define(name, schema);
      return `dict[str, ${typeof others === 'object' ? typeOf(others, `${name}Value`) : 'Any'}]`;
    }),
  );
}

function union(types: readonly string[]): string {
  const each = [...new Set(types)];
  return each.includes('Any') ? 'Any' : each.join(' | ');
}

/** Defines the type of an object, and returns its name. Names that are words of the language need the form of a call. */
function define(name: string, { properties = {}, required = [] }: Schema): string {
  if (defined.has(name)) throw new Error(`There are two types ${name}`);
  defined.set(name, '');
  const fields = Object.entries(properties).map(([field, schema]): [string, string] => {
    const type = typeOf(schema, `${name}${capitalised(field.replace(/^_+/, ''))}`);
    return [field, required.includes(field) ? type : `NotRequired[${type}]`];
  });
  // What the client adds where the answer has a version.
  if ('success' in properties && !('pagination' in properties)) fields.push(['etag', 'NotRequired[str]']);
  const isCall = fields.some(([field]) => KEYWORDS.has(field));
  const lines = isCall
    ? [`${name} = TypedDict("${name}", {`, ...fields.map(([field, type]) => `    "${field}": ${quoted(type)},`), '})']
    : [
        `class ${name}(TypedDict):`,
        ...fields.map(([field, type]) => `    ${field}: ${type}`),
        ...(fields.length ? [] : ['    pass']),
      ];
  defined.set(name, lines.join('\n'));
  return name;
}

/** Returns a type as a forward reference. */
function quoted(type: string): string {
  const [, inner] = /^NotRequired\[(.*)\]$/s.exec(type) ?? [];
  return inner === undefined ? `'${type}'` : `NotRequired['${inner}']`;
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inPython = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

/** Returns the method of an operation. */
function methodOf(path: string, method: 'get' | 'post', operation: Operation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const name = capitalised(operationId);
  const query = parameters.filter((each) => each.in === 'query');
  const typed = query.map(({ name: field, required, schema, content }) => {
    const type = typeOf(schema ?? content?.['application/json']?.schema ?? {}, `${name}${capitalised(field)}`);
    return required ? `${inPython(field)}: ${type}` : `${inPython(field)}: ${type} | None = None`;
  });
  // Those that must be given come first.
  typed.sort((one, other) => Number(one.endsWith('= None')) - Number(other.endsWith('= None')));
  const given = `{${query.map((each) => `"${each.name}": ${inPython(each.name)}`).join(', ')}}`;
  const answer = responses['200']?.content?.['application/json']?.schema;
  const [media = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJson = media === 'application/json';
  const before = body === undefined ? [] : [isJson ? `body: ${typeOf(body.schema, `${name}Body`)}` : 'content: bytes'];
  const headers = parameters.flatMap((each) =>
    each.in === 'header' ? [each.name.toLowerCase().replaceAll('-', '_')] : [],
  );
  const sent = headers.filter((each) => method === 'post' && each !== 'if_none_match');
  const keyword = [...typed, ...sent.map((each) => `${each}: str | None = None`)];
  const signature = ['self', ...before, ...(keyword.length > 0 ? ['*', ...keyword] : [])];
  const words = [
    `"${path}"`,
    ...(method === 'get' ? [given] : body === undefined ? ['{}'] : [isJson ? 'body' : 'content']),
    ...(method === 'post' && query.length > 0 ? [`query=${given}`] : []),
    ...(before.length > 0 && !isJson ? [`content_type="${media}"`] : []),
    ...sent.map((each) => `${each}=${each}`),
  ];
  const result = answer === undefined ? 'Any' : typeOf(answer, `${name}Answer`);
  return [
    `    def ${snakeCase(operationId)}(`,
    ...signature.map((each) => `        ${each},`),
    `    ) -> ${result}:`,
    `        """${summary.replace(/\.?$/, '.')}"""`,
    `        answer: ${result} = self.${method}(${words.join(', ')})`,
    '        return answer',
  ].join('\n');
}

for (const [name, schema] of Object.entries(document.components.schemas)) {
  if (schema.properties === undefined || [schema.type].flat().length > 1) {
    defined.set(name, `${name}: TypeAlias = ${quoted(typeOf(schema, `${name}Object`))}`);
  } else define(name, schema);
}
const methods = Object.entries(document.paths).flatMap(([path, { get, post }]) => {
  const isTwin = (operation: Operation | undefined) => /By(Get|Post)$/.test(operation?.operationId ?? '');
  return [
    ...(get && !isTwin(get) ? [methodOf(path, 'get', get)] : []),
    ...(post && !isTwin(post) ? [methodOf(path, 'post', post)] : []),
  ];
});
const written = `# Written from openapi.json by \`npm run openapi\`.
from __future__ import annotations

from typing import Any, Literal, Mapping, NotRequired, TypeAlias, TypedDict

VERSION = "${document.info.version}"

${[...defined.values()].join('\n\n')}


class Operations:
    """Each operation of the contract, by its operationId."""

    def get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        raise NotImplementedError

    def post(
        self,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, object] | None = None,
        content_type: str = "application/json",
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        raise NotImplementedError

${methods.join('\n\n')}
`;
if (!process.argv.includes('--check')) writeFileSync(FILE, written);
else if (readFileSync(FILE, 'utf8') !== written) {
  process.stderr.write(
    'packages/python/src/orgdesk_client/contract.py is not what openapi.json describes: npm run openapi\n',
  );
  process.exitCode = 1;
}
