import { isFieldOfKeys } from '../../src/entities/user.ts';

/** A schema of an operation's input, as far as wrong values are made from it. */
export interface InputSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, InputSchema>>;
  items?: InputSchema;
  maxLength?: number;
  description?: string;
  examples?: readonly unknown[];
}

/** A body that is wrong in one field, or that names none; a text stands for itself. */
export interface WrongBody {
  what: string;
  body: object | string;
  /** As the error calls it. */
  field: string;
}

/** Whether the schema takes null for a field. @param path such as `create[0].phone` */
export function isNullable(schema: InputSchema, path: string): boolean {
  const [name = '', ...inner] = path.replaceAll('[0]', '.0').split('.');
  const field = (name === '0' ? schema.items : schema.properties?.[name]) ?? {};
  return inner.length > 0 ? isNullable(field, inner.join('.')) : [field.type].flat().includes('null');
}

/** Returns the schema without the fields that API keys alone write. */
export function forPeople({ properties, items, ...rest }: InputSchema): InputSchema {
  const written = Object.entries(properties ?? {}).filter(([name]) => !isFieldOfKeys(name));
  return {
    ...rest,
    ...(items ? { items: forPeople(items) } : {}),
    ...(properties ? { properties: Object.fromEntries(written.map(([name, each]) => [name, forPeople(each)])) } : {}),
  };
}

type Body = Readonly<Record<string, unknown>>;

/** Returns the body with the published example of each field that it lacks. */
export function withExamples({ properties, items, examples = [] }: InputSchema, body: unknown): unknown {
  if (body === undefined) return examples[0];
  if (items && Array.isArray(body)) return body.map((item) => withExamples(items, item));
  if (!properties) return body;
  const given = body as Body;
  const fields = Object.entries(properties).map(([name, field]) => [name, withExamples(field, given[name])]);
  return { ...given, ...Object.fromEntries(fields) };
}

const CONTROL = ['\u0000', '\u0007', '\u001f', '\u007f', '\u0085', '\ud800'];
const OF_OTHER_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, 0, true, {}, [], ['x']],
  integer: ['5', '', 1.5, -1, true, {}, [], 1e10, [5]],
  boolean: ['yes', '', 0, 1, {}, [], [true]],
  array: ['x', '', 5, true, {}],
  object: ['x', '', 5, true, [], [{}]],
};

/**
 * Bodies that an operation has to refuse, each a good one with one thing wrong.
 *
 * @param good a body that it takes, with all its fields
 * @param schema of its input
 * @param mayBe of a field, by its path, whether this value is one that it takes all the same
 */
export function wrongBodies(
  good: Body,
  schema: InputSchema,
  mayBe: (path: string, value: null | '') => boolean,
): WrongBody[] {
  return inObject(good, schema, '', mayBe);
}

function inObject(
  good: Body,
  { properties = {} }: InputSchema,
  prefix: string,
  mayBe: (path: string, value: null | '') => boolean,
): WrongBody[] {
  const names = Object.keys(properties);
  const missing = names.filter((name) => !Object.hasOwn(good, name));
  if (missing.length > 0) throw new TypeError(`The good body lacks ${missing.map((name) => prefix + name)}`);
  const ofFields = names.flatMap((name) => {
    const path = prefix + name;
    const schema = properties[name] ?? {};
    if (schema.description === 'Ignored') return [];
    const value = good[name];
    const wrong = wrongValues(value, schema, (other) => mayBe(path, other)).map(
      ([what, other]): WrongBody => ({ what: `${path}: ${what}`, body: { ...good, [name]: other }, field: path }),
    );
    return [...wrong, ...inside(value, schema, path, mayBe, (other) => ({ ...good, [name]: other }))];
  });
  const unknown = unknownNames(names).map(
    (name): WrongBody => ({
      what: `${prefix}: the name ${JSON.stringify(name)}`,
      body: { ...good, [name]: 'x' },
      field: prefix + name,
    }),
  );
  return [...ofFields, ...unknown];
}

/** What is wrong in the fields of an object or in the items of a list; nothing where the good body has neither. */
function inside(
  value: unknown,
  schema: InputSchema,
  path: string,
  mayBe: (path: string, value: null | '') => boolean,
  put: (value: unknown) => Body,
): WrongBody[] {
  if (value === undefined || value === null) return [];
  if (schema.properties) {
    const wrong = inObject(value as Body, schema, `${path}.`, mayBe);
    return wrong.map(({ body, ...rest }) => ({ ...rest, body: put(body) }));
  }
  if (!schema.items) return [];
  const [first] = value as readonly unknown[];
  const place = `${path}[0]`;
  const items = wrongValues(first, schema.items, () => false).map(
    ([what, other]): WrongBody => ({ what: `${place}: ${what}`, body: put([other]), field: place }),
  );
  return [...items, ...inside(first, schema.items, place, mayBe, (other) => put([other]))];
}

/** Values that a field must not have, each with what is wrong about it. */
function wrongValues(
  good: unknown,
  { type, maxLength = 255 }: InputSchema,
  mayBe: (value: null | '') => boolean,
): (readonly [what: string, value: unknown])[] {
  const kind = [type].flat()[0] ?? 'string';
  const ofOtherTypes = (OF_OTHER_TYPES[kind] ?? []).filter((value) => value !== '' || !mayBe(''));
  const wrong = ofOtherTypes.map((value) => [`${JSON.stringify(value)}`, value] as const);
  const nothing = mayBe(null) ? [] : [['null', null] as const];
  if (kind !== 'string') return [...wrong, ...nothing];
  const text = String(good);
  const controlled = CONTROL.map(
    (letter) => [`with ${JSON.stringify(letter)}`, `${text.slice(0, 1)}${letter}${text.slice(1)}`] as const,
  );
  const blank = mayBe('') ? [] : (['', ' ', '\t\n'].map((value) => [JSON.stringify(value), value]) as [string, ''][]);
  // The end of an e-mail address stays one.
  const long = text.includes('@') ? `${'x'.repeat(maxLength)}${text}` : text.padEnd(maxLength + 1, text);
  return [...wrong, ...nothing, ...blank, ...controlled, ['too long', long], ['much too long', 'x'.repeat(20_000)]];
}

/** Names that are not among these: mistyped ones, and such as every object has. */
function unknownNames(names: readonly string[]): string[] {
  const [name = ''] = names;
  const odd = [name.toUpperCase(), ` ${name}`, `${name} `, `${name}s`, `${name}.x`, `${name}[]`, `${name}[0]`, ''];
  const wellKnown = ['toString', 'constructor', 'hasOwnProperty', 'createdAt', 'count', 'loyaltyPoints'];
  return [...odd, ...wellKnown].filter((other) => !names.includes(other));
}

/** The body as text with one of its names twice, with its value both times. @param escaped the second time by an escape, as some readers miss it */
export function doubled(body: Body, name: string, escaped: boolean): string {
  const code = name.charCodeAt(0).toString(16).padStart(4, '0');
  const again = escaped ? `"\\u${code}${name.slice(1)}"` : JSON.stringify(name);
  return `${JSON.stringify(body).slice(0, -1)},${again}:${JSON.stringify(body[name])}}`;
}
