import type { Resource } from './canonical.ts';
import { CORE_GROUP, CORE_USER } from './scim-attributes.ts';

/** Which attributes are asked for, by their names in lower case. Undefined: all. */
export interface Projection {
  attributes?: readonly string[] | undefined;
  excludedAttributes?: readonly string[] | undefined;
}

/** They are in every answer (RFC 7643, section 3.1). */
const ALWAYS = new Set(['id', 'schemas']);

/** What `attributes` and `excludedAttributes` say, as text with commas or as a list. Where both are given, the first counts. */
export function readProjection({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  return { attributes: namesIn(attributes), excludedAttributes: namesIn(excludedAttributes) };
}

function namesIn(given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  const names = [given].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : []));
  const known = names.map((name) => withoutCore(name.trim().toLowerCase())).filter((name) => name !== '');
  return known.length === 0 ? undefined : known;
}

function withoutCore(name: string): string {
  const core = [CORE_USER, CORE_GROUP].map((id) => `${id.toLowerCase()}:`).find((prefix) => name.startsWith(prefix));
  return core === undefined ? name : name.slice(core.length);
}

/** Whether an attribute of a resource is in the answer. */
export function isAsked({ attributes, excludedAttributes = [] }: Projection, name: string): boolean {
  const key = name.toLowerCase();
  if (attributes === undefined) return !excludedAttributes.includes(key);
  return attributes.some((each) => each === key || isInside(each, key));
}

/** The resource with what is asked for alone. */
export function chooseAttributes(resource: Resource, projection: Projection): Resource {
  const { attributes, excludedAttributes = [] } = projection;
  if (attributes === undefined && excludedAttributes.length === 0) return resource;
  const chosen = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (ALWAYS.has(name)) return [[name, value]];
    if (!isAsked(projection, name)) return [];
    const key = name.toLowerCase();
    if (attributes?.includes(key)) return [[name, value]];
    const subs = (attributes ?? excludedAttributes)
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
