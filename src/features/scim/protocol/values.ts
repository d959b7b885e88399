import { isVisible } from '../../../entities/characters.ts';
import { isObject } from '../../../entities/check-fields.ts';
import { ScimError } from './error.ts';
import { asBoolean } from './filter.ts';
import { isWritable, type Named, resolveName, type Target } from './path.ts';
import { type Attribute, attributeNamed, type Item, type Schema } from './schema.ts';

/**
 * A resource as it is stored or sent, by attribute, or by sub-attribute for complex ones. Lists consist of {@link Item}s. Undefined: empty;
 * null: empty for an attribute with a default.
 */
export type Values = ReadonlyMap<Attribute, unknown>;

/** A value of a {@link Values}, with the name as sent. With a filter it is a single item. */
export interface Sent {
  name: string;
  target: Target;
  value: unknown;
}

/** Values of a resource by the field that stores them; absent where there is none. Lists without a choice are lists of their values. */
export type Fields = Record<string, unknown>;

/** Reads a resource: the body of a POST or PUT, or its present content. @throws ApiError `invalidSyntax`, `invalidValue` */
export function readValues(body: object, schemas: readonly Schema[]): Values {
  const sent = sentIn(body, (name) => resolveName(name, schemas));
  return new Map(sent.map(({ target: { attribute, sub }, value }) => [sub ?? attribute, value]));
}

/**
 * Reads the values in an object. Extensions and complex attributes are split; unknown attributes and those that are not stored are omitted.
 *
 * @param resolve finds what a name stands for; undefined where it is unknown
 * @throws ApiError `invalidSyntax` for a name that is sent twice in any case, as another parser might take the other; `invalidValue`
 */
export function sentIn(object: object, resolve: (name: string) => Named | undefined, prefix = ''): Sent[] {
  const names = new Set<string>();
  return Object.entries(object).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const named = resolve(name);
    if (named === undefined) return [];
    if (names.has(name.toLowerCase())) throw new ScimError('invalidSyntax', `${name} is sent twice.`);
    names.add(name.toLowerCase());
    return sentAt(name, named, value, resolve);
  });
}

/** Reads what is sent by a name. @throws ApiError as {@link sentIn} */
export function sentAt(
  name: string,
  named: Named,
  sent: unknown,
  resolve: (name: string) => Named | undefined,
): Sent[] {
  if ('schema' in named) {
    const object = objectOf(name, sent);
    if (object !== undefined) return sentIn(object, resolve, `${name}:`);
    return named.schema.attributes.flatMap((attribute) =>
      sentAt(name, { attribute, sub: undefined }, undefined, resolve),
    );
  }
  if (!isWritable(named)) return [];
  const { attribute, sub, filter } = named;
  if (attribute.sub === undefined || sub !== undefined) {
    return [{ name, target: named, value: readValue(name, sub ?? attribute, sent) }];
  }
  if (attribute.max !== undefined) {
    const read = filter === undefined ? readList : readItem;
    return [{ name, target: named, value: isEmpty(sent) ? undefined : read(name, attribute, sent) }];
  }
  const object = objectOf(name, attributeNamed(attribute.sub, 'value') ? referenceIn(sent) : sent);
  if (object !== undefined) return sentIn(object, resolve, `${name}.`);
  return attribute.sub.flatMap((each) => sentAt(`${name}.${each.name}`, { attribute, sub: each }, undefined, resolve));
}

/** Returns a reference as an object: a text is its value; Entra ID also sends it in a list. */
function referenceIn(sent: unknown): unknown {
  const one = Array.isArray(sent) && sent.length === 1 ? (sent[0] as unknown) : sent;
  return typeof one === 'string' && one !== '' ? { value: one } : one;
}

const isEmpty = (sent: unknown) =>
  sent === null || sent === undefined || (typeof sent === 'string' && !isVisible(sent));

function objectOf(name: string, sent: unknown): object | undefined {
  if (isEmpty(sent)) return undefined;
  if (typeof sent === 'object' && !Array.isArray(sent)) return sent as object;
  throw new ScimError('invalidValue', `${name} must be an object.`);
}

function readValue(name: string, { type, normalize, hasDefault, read }: Attribute, sent: unknown): unknown {
  if (isEmpty(sent)) return hasDefault && sent !== undefined ? null : undefined;
  if (read) return sent;
  if (type === 'boolean') {
    const value = asBoolean(sent);
    if (typeof value === 'boolean') return value;
    throw new ScimError('invalidValue', `${name} must be true or false.`);
  }
  const value = typeof sent === 'number' ? String(sent) : sent;
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${name} must be a text.`);
  return normalize?.(value) ?? value;
}

/** Reads a list, or a single item of one. */
function readList(name: string, attribute: Attribute, sent: unknown): Item[] {
  if (typeof sent !== 'object' && !attribute.read) throw new ScimError('invalidValue', `${name} must be a list.`);
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  assertLength(name, attribute, list);
  return list.map((each) => readItem(name, attribute, each));
}

function assertLength(name: string, { max = 0, read }: Attribute, list: readonly unknown[]): void {
  if (list.length > max && !read) throw new ScimError('invalidValue', `${name} must have at most ${max} values.`);
}

/** Reads an item of a list; a text is its value. */
function readItem(name: string, attribute: Attribute, sent: unknown): Item {
  const object = attribute.read && !isObject(sent) ? { value: sent } : (objectOf(name, referenceIn(sent)) ?? {});
  const parts = Object.entries(object).flatMap(([key, value]) => {
    const sub = attributeNamed(attribute.sub ?? [], key);
    if (sub === undefined || !isWritable({ attribute, sub })) return [];
    return [[sub.name, readValue(`${name}.${sub.name}`, sub, value)]];
  });
  return Object.fromEntries(parts) as Item;
}

/** Returns whether an item of a list has any stored content besides its type. */
export function hasContent({ sub = [] }: Attribute, item: Item): boolean {
  return sub.some(({ name, selector, ignored }) => {
    return name !== 'type' && selector === undefined && ignored === undefined && item[name] !== undefined;
  });
}

/** An attribute that a field stores, or a sub-attribute. */
interface StoredAttribute {
  /** The name in problems, such as `name.givenName`. */
  name: string;
  field: string;
  attribute: Attribute;
  /** The same, or its sub-attribute. */
  leaf: Attribute;
}

/** Returns the attributes that fields store. */
export function storedAttributes(schemas: readonly Schema[]): StoredAttribute[] {
  const attributes = schemas.flatMap((schema) => schema.attributes);
  return attributes.flatMap((attribute) =>
    [attribute, ...(attribute.sub ?? [])].flatMap((leaf) => {
      const name = leaf === attribute ? leaf.name : `${attribute.name}.${leaf.name}`;
      return leaf.field === undefined ? [] : [{ name, field: leaf.field, attribute, leaf }];
    }),
  );
}

/** Returns the values by the fields that store them. @throws ApiError `invalidValue` for a list that has become too long */
export function fieldsOf(values: Values, schemas: readonly Schema[]): Fields {
  const found = storedAttributes(schemas).map(({ field, attribute, leaf }) => [
    field,
    storedValue(values, attribute, leaf),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Fields;
}

function storedValue(values: Values, attribute: Attribute, leaf: Attribute): unknown {
  if (attribute.max === undefined) return values.get(leaf);
  const sent = (values.get(attribute) ?? []) as readonly Item[];
  assertLength(attribute.name, attribute, sent);
  const items = sent.filter((item) => hasContent(attribute, item));
  if (leaf !== attribute) return attribute.choose?.(items)?.[leaf.name];
  return values.has(attribute) ? items.map(({ value }) => value) : undefined;
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
    if (!isEmpty(value) && !(Array.isArray(value) && value.length === 0)) answers[attribute.name] = value;
  }
  return answers;
}

function answerOf({ answer, field, sub, common, ignored, max }: Attribute, row: object): unknown {
  if (answer) return (answer as (of: object) => unknown)(row);
  if (field) return row[field as keyof typeof row];
  return sub && !ignored && !common && max === undefined ? answersOf(sub, row) : undefined;
}
