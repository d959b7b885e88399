import { TAGS } from '../../assets/openapi/about.ts';
import { FURTHER_FIELDS } from '../../assets/openapi/bodies.ts';
import { exampleOf, type Schema } from '../../assets/openapi/components.ts';
import { describeOperations } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { withoutReferences } from './without-references.ts';

interface Described {
  operationId: string;
  summary: string;
  tags: readonly string[];
  security: readonly object[];
  parameters?: readonly { in: string; name: string; required: boolean; example?: unknown; schema: Schema }[];
  requestBody?: { content: { 'application/json'?: { example: Record<string, unknown> }; 'text/csv'?: object } };
  responses: { 200: { content: { 'application/json': { schema: Schema } } } };
}

/** One request, as it is shown by `curl` and by the client. */
interface Shown {
  path: string;
  method: 'get' | 'post';
  operation: Described;
  /** The query or the body. */
  given: Readonly<Record<string, unknown>>;
}

const ADDRESS = 'http://127.0.0.1:3000';
const WIDTH = 110;
/** Of a list that needs nothing: something to look for, where it is searched. */
const SEARCH = { name: 'search', example: 'san' };

/** Each operation by `curl` and by the client, under the names of what they are about; in Markdown. */
export function operationExamples(): string[] {
  const { paths } = withoutReferences(describeOperations(OPERATIONS)) as unknown as {
    paths: Record<string, { get?: Described; post?: Described }>;
  };
  return TAGS.flatMap(({ name }) => {
    const ofTag = Object.entries(paths).filter(([, { get, post }]) => (get ?? post)?.tags.includes(name));
    return ofTag.length === 0 ? [] : [`### ${name}`, ...ofTag.flatMap(([path, methods]) => shown(path, methods))];
  });
}

function shown(path: string, { get, post }: { get?: Described; post?: Described }): string[] {
  // An update by GET is for those who cannot send a body.
  const method = get === undefined || (post !== undefined && takesVersion(post)) ? 'post' : 'get';
  const operation = method === 'get' ? get : post;
  if (operation === undefined) throw new TypeError(`${path} has no operation`);
  const given = method === 'get' || takesCsv(operation) ? queryOf(operation) : exampleBodyOf(operation);
  const request: Shown = { path, method, operation, given };
  const methods = [get && 'GET', post && 'POST'].filter(Boolean).join(' or ');
  return [
    `**${operation.summary}**: \`${methods} ${path}\``,
    ['```sh', curl(request), '```'].join('\n'),
    ['```ts', byClient(request), '```'].join('\n'),
  ];
}

const takesCsv = ({ requestBody }: Described) => requestBody?.content['text/csv'] !== undefined;

const takesVersion = ({ parameters = [] }: Described) => parameters.some(({ name }) => name === 'If-Match');

function queryOf({ operationId, parameters = [] }: Described): Record<string, unknown> {
  const further = FURTHER_FIELDS[operationId] ?? [];
  const required = parameters.filter((each) => each.required || further.includes(each.name));
  const all = required.length > 0 ? required : parameters.filter(({ name }) => name === SEARCH.name);
  return Object.fromEntries(
    all.map(({ name, example, schema }) => [
      name,
      name === SEARCH.name ? SEARCH.example : (example ?? exampleOf(schema)),
    ]),
  );
}

function exampleBodyOf({ requestBody }: Described): Record<string, unknown> {
  return requestBody?.content['application/json']?.example ?? {};
}

function curl({ path, method, operation, given }: Shown): string {
  const query = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const isTable = takesCsv(operation);
  const hasBody = method === 'post' && !isTable && Object.keys(given).length > 0;
  const url = `${ADDRESS}${path}${(method === 'get' || isTable) && query.length > 0 ? `?${query.join('&')}` : ''}`;
  const body = JSON.stringify(given);
  const words = [
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(hasBody ? ["-H 'Content-Type: application/json'"] : []),
    ...(isTable ? ["-H 'Content-Type: text/csv'", '--data-binary @people.csv'] : []),
    ...(hasBody ? [`-d '${body.length > WIDTH ? JSON.stringify(given, null, 2) : body}'`] : []),
    `'${url}'`,
  ];
  const line = `curl ${words.join(' ')}`;
  return line.length > WIDTH || line.includes('\n') ? `curl ${words.join(' \\\n  ')}` : line;
}

function byClient({ path, method, operation, given }: Shown): string {
  if (operation.operationId === 'listEvents') {
    return `for await (const change of orgdesk.changes({ from: 'now' })) console.log(change);`;
  }
  const { properties = {} } = operation.responses[200].content['application/json'].schema;
  if ('pagination' in properties) {
    return `${call('for await (const each of', 'list', path, given)}) {\n  console.log(each);\n}`;
  }
  if (takesCsv(operation))
    return `const { data } = await orgdesk.postCsv(${quoted(path)}, ${literal(given)}, 'email,firstName,lastName\\r\\nana@acme.example,Ana,Lee\\r\\n');`;
  const read = path.replace(/\/(?:update|delete)(-\w+)?$/, (_, own: string | undefined) =>
    own === '-profile' ? '/profile' : `/get${own ?? ''}`,
  );
  const isRead = OPERATIONS.some((each) => each.path === read);
  if (!takesVersion(operation) || !isRead) return `${call('const { data } = await', method, path, given)};`;
  const changed = literal(given).replace(/\bid: '[^']+'/, 'id');
  const isById = 'id' in given;
  return [
    ...(isById ? [`const id = ${literal(given.id)};`] : []),
    `const { etag } = await orgdesk.get(${quoted(read)}${isById ? ', { id }' : ''});`,
    `const { data } = await orgdesk.post(${quoted(path)}, ${changed}, { ifMatch: etag });`,
  ].join('\n');
}

/** A call of the client, on one line where that is not too long. */
function call(begin: string, name: string, path: string, given: Shown['given']): string {
  const words = (argument: string) => `${begin} orgdesk.${name}(${quoted(path)}${argument})`;
  if (Object.keys(given).length === 0) return words('');
  const line = words(`, ${literal(given)}`);
  return line.split('\n', 1)[0] === line && line.length > WIDTH ? words(`, ${literal(given, '', 0)}`) : line;
}

/** As people write it. @param width that fits on a line */
function literal(value: unknown, indent = '', width = 70): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inside = `${indent}  `;
  const parts = (deeper: string) =>
    Object.entries(value).map(([name, part]) => `${isList ? '' : `${name}: `}${literal(part, deeper)}`);
  const short = parts(indent).join(', ');
  if (!short.includes('\n') && short.length < width) return isList ? `[${short}]` : `{ ${short} }`;
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts(inside)
    .map((part) => `${inside}${part},\n`)
    .join('')}${indent}${close}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
