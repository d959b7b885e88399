import type { Filter } from 'scim2-parse-filter';
import { ScimError } from './error.ts';
import { type ComparisonBudget, parseFilter } from './filter.ts';
import { type Attribute, attributeNamed, type Schema } from './schema.ts';

/** An attribute of a resource, or a sub-attribute of one. */
export interface Target {
  attribute: Attribute;
  sub: Attribute | undefined;
  /** Selects items of a list; absent in names and in paths without one. */
  filter?: Filter;
}

/** What a name or path leads to. */
export type Named = Target | { schema: Schema };

/** Returns whether writes of a target count: its value is stored, or selects the item that is. */
export function isWritable({ attribute, sub }: Target): boolean {
  return !(attribute.ignored || attribute.readOnly || sub?.ignored || sub?.readOnly);
}

/** Splits a name into the schema whose id it begins with, and the rest. Entra ID also uses a dot as separator. */
function splitSchema(name: string, schemas: readonly Schema[]): { schema: Schema; rest: string } | undefined {
  const wanted = name.toLowerCase();
  for (const schema of schemas) {
    for (const id of [schema.id, ...(schema.formerIds ?? [])]) {
      if (!wanted.startsWith(id.toLowerCase())) continue;
      if (wanted.length === id.length) return { schema, rest: '' };
      if (':.'.includes(name.charAt(id.length))) return { schema, rest: name.slice(id.length + 1) };
    }
  }
  return undefined;
}

/**
 * Resolves a name such as `name.givenName` or `urn:…:User:department`, or the id of a schema; undefined where it is unknown.
 *
 * @param schemas the core schema of the resource, then its extensions
 */
export function resolveName(name: string, schemas: readonly Schema[]): Named | undefined {
  const [core] = schemas;
  const found = splitSchema(name, schemas);
  if (found?.rest === '') return { schema: found.schema };
  const schema = found?.schema ?? core;
  if (schema === undefined) return undefined;
  const parts = (found?.rest ?? name).split('.');
  const first = parts[0] ?? '';
  const second = parts[1];
  const attribute = attributeNamed(schema.attributes, first);
  if (attribute === undefined) return undefined;
  const isOpaque = attribute.ignored === true || attribute.readOnly === true;
  const sub = second === undefined ? undefined : attributeNamed(attribute.sub ?? [], second);
  if (!isOpaque && (parts.length > 2 || (second !== undefined && sub === undefined))) return undefined;
  return { attribute, sub };
}

/** A filter that only selects an item by its value: it costs nothing of the budget. */
const ONE_VALUE = /^\s*value\s+eq\s+"[^"\\]*"\s*$/i;

const PATH = /^([^[\]]+?)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s;

/** Resolves the path of a PATCH operation (RFC 7644, section 3.5.2). @throws ApiError `invalidPath`, `invalidFilter` */
export function parsePath(text: string, schemas: readonly Schema[], budget: ComparisonBudget): Named {
  const [, name, filter, sub] = PATH.exec(text) ?? [];
  if (name === undefined) throw new ScimError('invalidPath', `${text} is no path.`);
  const target = resolveName(sub === undefined ? name : `${name}.${sub}`, schemas);
  if (target === undefined) throw new ScimError('invalidPath', `There is no attribute ${text}.`);
  if (filter === undefined || ('attribute' in target && target.attribute.ignored)) return target;
  if ('schema' in target || target.attribute.max === undefined) {
    throw new ScimError('invalidPath', `${name} is no list of which a filter could choose.`);
  }
  return { ...target, filter: parseFilter(filter, ONE_VALUE.test(filter) ? undefined : budget) };
}
