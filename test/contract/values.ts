import type { Random } from './random.ts';

/** A schema of the published document without references. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  pattern?: string;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}

/** Ids that there are, by the name of a field. */
export type Ids = (field: string) => readonly string[];

/** Texts that hold to a pattern, by the field: what the service accepts is made of them. */
const TEXTS: Readonly<Record<string, (random: Random) => string>> = {
  email: (random) => `person-${random.whole(0, 9999999)}@contract.example`,
  phone: (random) => `${random.pick(['+91 98765 4', '+353 1 555'])}${random.whole(1000, 9999)}`,
  gstin: (random) => `REG-${random.whole(0, 999999999)}`,
  pincode: (random) => String(random.whole(10000, 99999)),
  dateOfBirth: (random) => `19${random.whole(40, 99)}-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
  currency: (random) => random.pick(['INR', 'EUR', 'USD']),
  brandColor: (random) => random.pick(['#1f4e9c', '#7A1F4E']),
  brandSupport: () => 'help@contract.example',
  brandTerms: () => 'https://contract.example/terms',
  brandLinks: () => 'Help=https://contract.example/help',
  countryCode: (random) => random.pick(['IN', 'ie', 'US']),
  url: (random) => `https://8.8.8.8/hooks/${random.whole(0, 9999)}`,
  expiresAt: () => '2099-01-31T09:30:00.000Z',
  after: () => 'start',
  departmentIds: (random) => `${random.uuid()}, ${random.uuid()}`,
  bandIds: (random) => random.uuid(),
  // The first one is skipped already.
  changeId: (random) => (random.chance(0.7) ? '1' : String(random.whole(1, 9999))),
  choices: () => '{"header":1}',
  timeZone: (random) => random.pick(['UTC', 'Asia/Kolkata']),
  issuer: () => 'https://id.example/realm',
  discoveryUrl: () => 'https://id.example/realm/.well-known/openid-configuration',
  subjectClaim: (random) => random.pick(['sub', 'uid', 'oid']),
  language: (random) => random.pick(['en-IN', 'de']),
  asOf: () => '2026-01-31',
  field: (random) => random.pick(['firstName', 'name']),
};

const WORDS = ['Sales', 'O’Neill', 'Zürich', 'रवि', 'travel desk', 'x', '100 % done', 'a_b\\c', "d'Arc", '東京'];

/** Returns a value that holds to a schema. @param field its name */
export function validValue(schema: Schema, field: string, ids: Ids, random: Random): unknown {
  const { anyOf, enum: words, examples = [], items, properties } = schema;
  const types = [schema.type].flat();
  if (types.includes('null') && random.chance(0.1)) return null;
  if (anyOf) return validValue(random.pick(anyOf), field, ids, random);
  if (words) return random.pick(words);
  if (types.includes('null') && types.length === 1) return null;
  if (properties) return validObject(schema, ids, random);
  if (items) return validList(schema, field, ids, random);
  if (types.includes('integer')) {
    const minimum = schema.minimum ?? 0;
    return random.whole(minimum, Math.min(schema.maximum ?? 1000, minimum + 50));
  }
  if (types.includes('number')) return (schema.minimum ?? 0) + random.whole(0, 50);
  if (types.includes('boolean')) return random.chance(0.5);
  if (types.includes('object')) return examples[0] ?? {};
  return validText(schema, field, ids, random);
}

function validText(
  { format, pattern, maxLength = 60, minLength = 0, examples = [] }: Schema,
  field: string,
  ids: Ids,
  random: Random,
): string {
  const known = ids(field);
  if (known.length > 0 && (format === 'uuid' || /id$/i.test(field)))
    return random.chance(0.8) ? random.pick(known) : random.uuid();
  if (format === 'uuid' || pattern?.includes('externalId:')) return random.uuid();
  const words = /^\^\\s\*\(\?:([\w|]+)\)/.exec(pattern ?? '')?.[1]?.split('|');
  if (words !== undefined) return random.pick(words);
  const made = TEXTS[field];
  if (made !== undefined) return made(random);
  if (format === 'date') return random.pick(['2026-01-01', '2026-12-31', '2027-02-28']);
  if (format === 'date-time') return random.pick(['2026-01-31T09:30:00.000Z', '2026-01-31T15:00:00+05:30']);
  if (pattern !== undefined && pattern !== '\\S') {
    const rule = new RegExp(pattern, 'u');
    const amount = `${random.whole(0, 99999)}.${random.whole(10, 99)}`;
    return random.pick(
      [...examples, amount, '5', '2026-01-01', 'INR', '19.07,72.88', 'true']
        .map(String)
        .filter((text) => rule.test(text)),
      `${field} by ${pattern}`,
    );
  }
  const text = random.chance(0.05) ? 'é'.repeat(Math.min(maxLength, 300)) : random.pick(WORDS).slice(0, maxLength);
  return text.length < minLength ? text.padEnd(minLength, 'x') : text;
}

function validObject({ properties = {}, required = [] }: Schema, ids: Ids, random: Random): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.4));
  return Object.fromEntries(names.map((name) => [name, validValue(properties[name] ?? {}, name, ids, random)]));
}

function validList(
  { items = {}, minItems = 0, maxItems = 3, uniqueItems }: Schema,
  field: string,
  ids: Ids,
  random: Random,
): unknown[] {
  const count = random.whole(minItems, Math.min(maxItems, minItems + 3));
  const name = field.replace(/s$/, '');
  const list = Array.from({ length: count }, () => validValue(items, name, ids, random));
  return uniqueItems ? [...new Map(list.map((item) => [JSON.stringify(item), item])).values()] : list;
}

/** A change of a value that breaks one rule of its schema, and what it breaks. */
export interface Violation {
  value: unknown;
  rule: string;
}

/** Returns the ways to break one rule of a schema, in one place of a value. */
export function violationsOf(value: unknown, schema: Schema, path = ''): Violation[] {
  return [
    ...ownViolations(value, schema).map(({ value: broken, rule }) => ({
      value: broken,
      rule: `${path || 'the body'}: ${rule}`,
    })),
    ...innerViolations(value, schema, path),
  ];
}

function ownViolations(value: unknown, schema: Schema): Violation[] {
  const types = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)].flat();
  const found: Violation[] = [];
  const add = (rule: string, broken: unknown) => found.push({ rule, value: broken });
  for (const [type, other] of [
    ['string', 7],
    ['integer', 1.5],
    ['object', {}],
    ['array', []],
    ['boolean', true],
    ['null', null],
  ] as const) {
    if (!types.includes(type) && !(type === 'integer' && types.includes('number')))
      add(`is of the type ${type}`, other);
  }
  if (schema.enum) add('is no word of the list', 'NOT_A_WORD');
  if (schema.minimum !== undefined) add('is too small', schema.minimum - 1);
  if (schema.maximum !== undefined) add('is too large', schema.maximum + 1);
  if (schema.maxLength !== undefined && typeof value === 'string') add('is too long', 'x'.repeat(schema.maxLength + 1));
  if (schema.minLength !== undefined && schema.minLength > 0) add('is too short', '');
  if (schema.pattern !== undefined && schema.pattern !== '\\S') add('breaks the pattern', '~ none ~');
  if (schema.format !== undefined) add('breaks the format', 'nothing of the kind');
  if (schema.maxItems !== undefined && Array.isArray(value) && schema.maxItems <= 1000) {
    add(
      'has too many items',
      Array.from({ length: schema.maxItems + 1 }, () => value[0] ?? {}),
    );
  }
  if (schema.minItems !== undefined && schema.minItems > 0) add('has too few items', []);
  if (schema.uniqueItems && Array.isArray(value) && value.length > 0) add('has an item twice', [value[0], value[0]]);
  return found;
}

function innerViolations(
  value: unknown,
  { properties, required = [], additionalProperties, items }: Schema,
  path: string,
): Violation[] {
  if (Array.isArray(value) && items && value.length > 0) {
    const inner = violationsOf(value[0], items, `${path}[0]`);
    return inner.map(({ value: broken, rule }) => ({ rule, value: [broken, ...value.slice(1)] }));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !properties) return [];
  const whole = value as Record<string, unknown>;
  const ofFields = Object.keys(whole).flatMap((name) =>
    violationsOf(whole[name], properties[name] ?? {}, path === '' ? name : `${path}.${name}`).map(
      ({ value: broken, rule }) => ({
        rule,
        value: { ...whole, [name]: broken },
      }),
    ),
  );
  const missing = required.map((name) => ({ rule: `${path} lacks ${name}`, value: { ...whole, [name]: undefined } }));
  const unknown =
    additionalProperties === false ? [{ rule: `${path} has an unknown field`, value: { ...whole, nope: 1 } }] : [];
  return [...ofFields, ...missing, ...unknown];
}
