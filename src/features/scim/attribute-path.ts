import type { Filter } from 'scim2-parse-filter';
import type { Attribute, Schema } from './attribute.ts';
import { type ComparisonBudget, parseFilter } from './filter-syntax.ts';
import { ScimError } from './scim-error.ts';
import { COMMON_ATTRIBUTES } from './user-schemas.ts';

/** An attribute of a resource, or a sub-attribute of one. */
export interface Target {
  attribute: Attribute;
  sub: Attribute | undefined;
}

/** Attributes by their names in lower case. */
const indexes = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** Returns the attribute with that name, case-insensitively. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  let index = indexes.get(attributes);
  if (index === undefined) {
    index = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    indexes.set(attributes, index);
  }
  return index.get(name.toLowerCase());
}

/** Returns the key of a target in {@link Values}. */
export function keyOf({ attribute, sub }: Target): string {
  return sub === undefined || attribute.max !== undefined ? attribute.name : `${attribute.name}.${sub.name}`;
}

/** Returns whether writes of a target count: its value is stored, or selects the item that is. */
export function isWritable({ attribute, sub }: Target): boolean {
  return !(attribute.ignored || attribute.readOnly || sub?.ignored || sub?.readOnly);
}

/** Ids of schemas in lower case: a body may have thousands of names below one. */
const lowerCaseIds = new WeakMap<Schema, string>();

function lowerCaseId(schema: Schema): string {
  const id = lowerCaseIds.get(schema) ?? schema.id.toLowerCase();
  lowerCaseIds.set(schema, id);
  return id;
}

/** Splits a name into the schema whose id it begins with, and the rest. Entra ID also uses a dot as separator. */
function splitSchema(name: string, schemas: readonly Schema[]): { schema: Schema; rest: string } | undefined {
  // Fast path: every schema id is a URN, and a body may have thousands of other names.
  if (!name.includes(':')) return undefined;
  const wanted = name.toLowerCase();
  for (const schema of schemas) {
    const id = lowerCaseId(schema);
    if (wanted === id) return { schema, rest: '' };
    const next = wanted[id.length];
    if ((next === ':' || next === '.') && wanted.startsWith(id)) return { schema, rest: name.slice(id.length + 1) };
  }
  return undefined;
}

/**
 * Resolves a name such as `name.givenName` or `urn:…:User:department`, or the id of a schema; undefined where it is unknown.
 *
 * @param schemas the core schema of the resource, then its extensions
 */
export function resolveName(name: string, schemas: readonly Schema[]): Target | { schema: Schema } | undefined {
  const [core] = schemas;
  const found = splitSchema(name, schemas);
  if (found?.rest === '') return { schema: found.schema };
  const schema = found?.schema ?? core;
  if (schema === undefined) return undefined;
  const parts = (found?.rest ?? name).split('.');
  const first = parts[0] ?? '';
  const second = parts[1];
  const common = schema === core ? attributeNamed(COMMON_ATTRIBUTES, first) : undefined;
  const attribute = attributeNamed(schema.attributes, first) ?? common;
  if (attribute === undefined) return undefined;
  const isOpaque = attribute.ignored === true || attribute.readOnly === true;
  const sub = second === undefined ? undefined : attributeNamed(attribute.sub ?? [], second);
  if (!isOpaque && (parts.length > 2 || (second !== undefined && sub === undefined))) return undefined;
  return { attribute, sub };
}

const PATH = /^([^[\]]+?)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s;

/** Path of a PATCH operation (RFC 7644, section 3.5.2). */
export interface Path {
  /** The path as sent. */
  text: string;
  target: Target | { schema: Schema };
  /** Selects items of a list. */
  filter: Filter | undefined;
}

/** @throws ApiError `invalidPath`, `invalidFilter` */
export function parsePath(text: string, schemas: readonly Schema[], budget: ComparisonBudget): Path {
  const [, name, filterText, sub] = PATH.exec(text) ?? [];
  if (name === undefined) throw new ScimError('invalidPath', `${text} is no path.`);
  const target = resolveName(sub === undefined ? name : `${name}.${sub}`, schemas);
  if (target === undefined) throw new ScimError('invalidPath', `There is no attribute ${text}.`);
  if (filterText === undefined || ('attribute' in target && target.attribute.ignored)) {
    return { text, target, filter: undefined };
  }
  if ('schema' in target || target.attribute.max === undefined) {
    throw new ScimError('invalidPath', `${name} is no list of which a filter could choose.`);
  }
  return { text, target, filter: parseFilter(filterText, budget) };
}
