import type { Filter } from 'scim2-parse-filter';
import { ScimError } from './error.ts';
import { asBoolean } from './filter.ts';
import { isWritable, keyOf, resolveName, type Target } from './path.ts';
import { type Attribute, attributeNamed, type Item, type Schema } from './schema.ts';

/**
 * Values of a resource by attribute name: `userName`, `name.givenName`, `department`. Lists consist of {@link Item}s, large ones of a
 * {@link ListChange}; attributes without a value are absent.
 */
export type Values = Record<string, unknown>;

/** A change of a large list. */
export interface ListChange {
  /** Whether all other items are removed. */
  isWhole: boolean;
  /** Whether to be in the list, by value in lower case. */
  items: Map<string, boolean>;
}

/** A value for a target, with the name as sent. */
export interface Sent {
  name: string;
  target: Target;
  value: unknown;
}

/**
 * Flattens an object: extensions and complex attributes are split, lists stay whole. Unknown attributes and those that are not stored are
 * omitted.
 *
 * @throws ApiError `invalidSyntax`, `invalidValue`
 */
export function sentValues(object: object, schemas: readonly Schema[], prefix = ''): Sent[] {
  const sent: Sent[] = [];
  const known = new Set<string>();
  for (const [key, value] of entriesOf(object)) {
    const name = `${prefix}${key}`;
    const found = resolveName(name, schemas);
    if (found === undefined) continue;
    addName(known, name);
    if ('schema' in found) {
      sent.push(...sentValues(objectOf(name, value) ?? {}, schemas, `${found.schema.id}:`));
    } else if (isWritable(found)) sent.push(...partsOf(name, found, value));
  }
  return sent;
}

const entriesOf = (object: object): [string, unknown][] => Object.entries(object);

/**
 * Adds the name of an attribute to those of an object. Names are case-insensitive, and with duplicates another parser might take the other.
 *
 * @throws ApiError `invalidSyntax` for a duplicate
 */
export function addName(names: Set<string>, name: string): void {
  const folded = name.toLowerCase();
  if (names.has(folded)) throw new ScimError('invalidSyntax', `${name} is sent twice.`);
  names.add(folded);
}

/** Splits the value of a complex attribute; other values are returned as a single part. @throws ApiError `invalidValue` */
export function partsOf(name: string, target: Target, value: unknown): Sent[] {
  const { attribute, sub } = target;
  if (sub !== undefined || attribute.sub === undefined || attribute.max !== undefined) return [{ name, target, value }];
  const kept = attribute.sub.filter((each) => isWritable({ attribute, sub: each }));
  const part = (sent: string, each: Attribute, of: unknown): Sent => ({
    name: `${name}.${sent}`,
    target: { attribute, sub: each },
    value: of,
  });
  // Of a reference, a plain text is the value; Entra ID also sends it in a list.
  const one = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  const reference = kept.find((each) => each.name === 'value');
  if (reference && one !== '' && typeof one === 'string') return [part('value', reference, one)];
  const object = objectOf(name, reference ? one : value);
  if (object === undefined) return kept.map((each) => part(each.name, each, undefined));
  return entriesOf(object).flatMap(([key, of]) => {
    const each = attributeNamed(kept, key);
    return each === undefined ? [] : [part(key, each, of)];
  });
}

/** Reads the body of a POST or PUT. @throws ApiError `invalidSyntax`, `invalidValue` */
export function readValues(body: object, schemas: readonly Schema[]): Values {
  const values: Values = {};
  for (const { name, target, value } of sentValues(body, schemas)) {
    const { attribute, sub } = target;
    if (attribute.max === undefined) {
      const read = readValue(name, sub ?? attribute, value);
      if (read !== undefined) values[keyOf(target)] = read;
      else if (attribute.hasDefault && value !== undefined) values[keyOf(target)] = null;
    } else if (attribute.large) {
      values[attribute.name] = changeOf(readReferences(name, attribute, value), true, true);
    } else if (sub === undefined) {
      const items = readItems(name, attribute, value);
      if (items.length > 0) values[attribute.name] = items;
    }
  }
  return values;
}

/** Reads a single value; undefined for null or an empty text. @throws ApiError `invalidValue` */
export function readValue(name: string, { type, normalize }: Attribute, sent: unknown): string | boolean | undefined {
  if (sent === null || sent === undefined || sent === '') return undefined;
  if (type === 'boolean') {
    const value = asBoolean(sent);
    if (typeof value === 'boolean') return value;
    throw new ScimError('invalidValue', `${name} must be true or false.`);
  }
  const value = typeof sent === 'number' ? String(sent) : sent;
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${name} must be a text.`);
  return normalize?.(value) ?? value;
}

/** Reads a list or a single item, without empty items. @throws ApiError `invalidValue` for a text, and for too many items */
export function readItems(name: string, attribute: Attribute, sent: unknown): Item[] {
  return readParts(name, attribute, sent).filter((item) => hasContent(attribute, item));
}

/** Reads a list or a single item, including empty items. @throws ApiError `invalidValue` */
export function readParts(name: string, attribute: Attribute, sent: unknown): Item[] {
  return listOf(name, attribute, sent).map((each) => {
    const parts = Object.entries(partsOfItem(name, attribute, each));
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined)) as Item;
  });
}

function listOf(name: string, attribute: Attribute, sent: unknown): readonly unknown[] {
  if (sent === null || sent === undefined || sent === '') return [];
  if (typeof sent !== 'object') throw new ScimError('invalidValue', `${name} must be a list.`);
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  assertLength(name, attribute, list);
  return list;
}

/** @throws ApiError `invalidValue` */
export function assertLength(name: string, { max = 0 }: Attribute, list: readonly unknown[]): void {
  if (list.length > max) throw new ScimError('invalidValue', `${name} must have at most ${max} values.`);
}

/** Reads an item of a list; a plain text is its `value`. Cleared parts are undefined. @throws ApiError `invalidValue` */
export function partsOfItem(
  name: string,
  { sub = [] }: Attribute,
  sent: unknown,
): Record<string, string | boolean | undefined> {
  const parts: Record<string, string | boolean | undefined> = {};
  const one = Array.isArray(sent) && sent.length === 1 ? (sent[0] as unknown) : sent;
  const object = typeof one === 'string' ? { value: one } : (objectOf(name, one) ?? {});
  for (const [key, value] of entriesOf(object)) {
    const known = attributeNamed(sub, key);
    if (known === undefined || known.ignored || known.readOnly) continue;
    parts[known.name] = readValue(`${name}.${known.name}`, known, value);
  }
  return parts;
}

/** Returns whether an item of a list has any stored content besides its type. */
export function hasContent({ sub = [] }: Attribute, item: Item): boolean {
  return sub.some(({ name, selector, ignored }) => {
    return name !== 'type' && selector === undefined && ignored === undefined && item[name] !== undefined;
  });
}

/** Reads the values of the items of a large list, each a text or an object, in lower case. @throws ApiError `invalidValue` */
export function readReferences(name: string, attribute: Attribute, sent: unknown): string[] {
  return listOf(name, attribute, sent).map((item) => {
    const { value } = typeof item === 'string' ? { value: item } : partsOfItem(name, attribute, item);
    if (typeof value === 'string') return value.toLowerCase();
    throw new ScimError('invalidValue', `Each of ${name} must be an object with an id as its value.`);
  });
}

/** Returns the values in `value eq "…" or value eq "…"`, in lower case. @throws ApiError `invalidPath` */
export function valuesChosenBy(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(valuesChosenBy);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value') return [String(filter.compValue).toLowerCase()];
  throw new ScimError('invalidFilter', 'Items of this list are chosen by value eq "…".');
}

/** Returns the change of a large list that adds or removes items. */
export function changeOf(items: readonly string[], isMember: boolean, isWhole: boolean): ListChange {
  return { isWhole, items: new Map(items.map((item) => [item, isMember])) };
}

function objectOf(name: string, value: unknown): object | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw new ScimError('invalidValue', `${name} must be an object.`);
}

/** Returns the content of a resource by its schemas, without `schemas`, `id` and `meta`. Attributes of extensions are nested. */
export function contentOf(row: object, schemas: readonly Schema[]): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const [index, schema] of schemas.entries()) {
    const part = answersOf(schema.attributes, row);
    if (index === 0) Object.assign(content, part);
    else content[schema.id] = part;
  }
  return content;
}

function answersOf(attributes: readonly Attribute[], row: object): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const attribute of attributes) {
    const value = answerOf(attribute, row);
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) answers[attribute.name] = value;
  }
  return answers;
}

function answerOf({ answer, field, sub, common, ignored, max }: Attribute, row: object): unknown {
  if (answer) return (answer as (of: object) => unknown)(row);
  if (field) return row[field as keyof typeof row];
  return sub && !ignored && !common && max === undefined ? answersOf(sub, row) : undefined;
}
