import type { Resource } from './canonical.ts';
import { CORE_GROUP, CORE_USER } from './scim-attributes.ts';
import { scimFault } from './scim-errors.ts';

/** Which attributes are asked for, by their names in lower case. Undefined: all. */
export interface Projection {
  attributes?: ReadonlySet<string> | undefined;
  excludedAttributes?: ReadonlySet<string> | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Names in one parameter. */
const MAX_NAMES = 100;

/** They are in every answer (RFC 7643, section 3.1). */
const ALWAYS = new Set(['id', 'schemas']);

/** What `attributes` and `excludedAttributes` say, as text with commas or as a list. Where both are given, the first counts. */
export function readProjection({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  return {
    attributes: namesIn('attributes', attributes),
    excludedAttributes: namesIn('excludedAttributes', excludedAttributes),
  };
}

function namesIn(parameter: string, given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  const parts: unknown[] = (Array.isArray(given) ? given : [given]).slice(0, MAX_NAMES + 1);
  const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(',', MAX_NAMES + 1) : []));
  if (parts.length > MAX_NAMES || names.length > MAX_NAMES)
    throw scimFault('invalidValue', `${parameter} must have at most ${MAX_NAMES} names.`);
  const known = names.map((name) => withoutCore(name.trim().toLowerCase())).filter((name) => name !== '');
  return known.length === 0 ? undefined : new Set(known);
}

function withoutCore(name: string): string {
  const core = [CORE_USER, CORE_GROUP].map((id) => `${id.toLowerCase()}:`).find((prefix) => name.startsWith(prefix));
  return core === undefined ? name : name.slice(core.length);
}

/** Whether an attribute of a resource is in the answer. */
export function isAsked({ attributes, excludedAttributes = NONE }: Projection, name: string): boolean {
  const key = name.toLowerCase();
  if (attributes === undefined) return !excludedAttributes.has(key);
  return [...attributes].some((each) => each === key || isInside(each, key));
}

/** The resource with what is asked for alone. */
export function chooseAttributes(resource: Resource, projection: Projection): Resource {
  const { attributes, excludedAttributes = NONE } = projection;
  if (attributes === undefined && excludedAttributes.size === 0) return resource;
  const chosen = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (ALWAYS.has(name)) return [[name, value]];
    if (!isAsked(projection, name)) return [];
    const key = name.toLowerCase();
    if (attributes?.has(key)) return [[name, value]];
    const subs = [...(attributes ?? excludedAttributes)]
      .filter((each) => isInside(each, key))
      .map((each) => each.slice(key.length + 1));
    if (subs.length === 0) return [[name, value]];
    return [[name, subAttributes(value, (sub) => subs.includes(sub) === (attributes !== undefined))]];
  });
  return Object.fromEntries(chosen);
}

/** Whether a name is that of a part of the attribute: `name.givenname`, `urn:…:user:department`. */
function isInside(name: string, attribute: string): boolean {
  return name.startsWith(`${attribute}.`) || name.startsWith(`${attribute}:`);
}

function subAttributes(value: unknown, isChosen: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => subAttributes(item, isChosen));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => isChosen(name.toLowerCase())));
}
