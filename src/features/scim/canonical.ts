import { asBoolean } from './filter-syntax.ts';
import { type Attribute, attributeOf, COMMON_ATTRIBUTES, type Schema } from './scim-attributes.ts';
import { scimFault } from './scim-errors.ts';

/** A resource, or a part of one, with the names of attributes as the schemas write them. */
export type Resource = Record<string, unknown>;

/** Where a value of a resource stands. */
export interface Place {
  /** Of an extension; undefined: the resource's own. */
  extension: string | undefined;
  attribute: Attribute;
  sub: Attribute | undefined;
}

/** The schema whose name a text begins with, in whatever case, and what follows. */
function schemaOf(name: string, schemas: readonly Schema[]): { schema: Schema; rest: string } | undefined {
  const wanted = name.toLowerCase();
  for (const schema of schemas) {
    const id = schema.id.toLowerCase();
    if (wanted === id) return { schema, rest: '' };
    if (wanted.startsWith(`${id}:`)) return { schema, rest: name.slice(id.length + 1) };
  }
  return undefined;
}

/**
 * Where the attribute of that name stands: `name.givenName`, `urn:…:User:department`; or the extension that is named as a whole.
 * Undefined where the schemas know nothing of it.
 *
 * @param schemas the first is the resource's own, the others its extensions
 */
export function placeOf(name: string, schemas: readonly Schema[]): Place | { extension: Schema } | undefined {
  const [own] = schemas;
  const found = schemaOf(name, schemas);
  const schema = found?.schema ?? own;
  if (schema === undefined) return undefined;
  if (found !== undefined && found.rest === '') return schema === own ? undefined : { extension: schema };
  const [first = '', second, ...more] = (found?.rest ?? name).split('.');
  const attribute = attributeOf(
    schema === own ? [...schema.attributes, ...COMMON_ATTRIBUTES] : schema.attributes,
    first,
  );
  if (attribute === undefined || more.length > 0) return undefined;
  const sub = second === undefined ? undefined : attributeOf(attribute.sub ?? [], second);
  if (second !== undefined && sub === undefined && !attribute.ignored && !attribute.readOnly) return undefined;
  return { extension: schema === own ? undefined : schema.id, attribute, sub };
}

/** Whether what is written there is kept. */
export function isKept({ attribute, sub }: Place): boolean {
  return !(attribute.ignored || attribute.readOnly || sub?.ignored || sub?.readOnly);
}

/**
 * The values of an object, each with its place: complex attributes and extensions are taken apart, lists stay whole. What the
 * schemas do not know, and what is not kept, is left out.
 *
 * @returns the value undefined where the object says that there is none: null, an empty text or list
 */
export function valuesOf(given: object, schemas: readonly Schema[]): { place: Place; value: unknown }[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const place = placeOf(name, schemas);
    if (place === undefined) return [];
    if (!('attribute' in place)) {
      const inside = objectOf(name, value) ?? {};
      return Object.entries(inside).flatMap(([key, each]) =>
        valuesOf({ [`${place.extension.id}:${key}`]: each }, schemas),
      );
    }
    return isKept(place) ? partsOf(name, place, value) : [];
  });
}

/** A value of a place, taken apart where the attribute is complex and no list. @param name as the caller writes it */
export function partsOf(name: string, place: Place, value: unknown): { place: Place; value: unknown }[] {
  const { attribute, sub } = place;
  if (sub !== undefined || attribute.sub === undefined || attribute.many) {
    return [{ place, value: canonicalValue(name, sub ?? attribute, value) }];
  }
  const inside = objectOf(name, value);
  const subs = attribute.sub.filter((each) => isKept({ ...place, sub: each }));
  if (inside === undefined) return subs.map((each) => ({ place: { ...place, sub: each }, value: undefined }));
  return Object.entries(inside).flatMap(([key, each]) => {
    const known = attributeOf(subs, key);
    return known === undefined
      ? []
      : [{ place: { ...place, sub: known }, value: canonicalValue(`${name}.${known.name}`, known, each) }];
  });
}

/** A value in the form that its attribute has; undefined for none. @throws ApiError `invalidValue` */
export function canonicalValue(name: string, attribute: Attribute, given: unknown): unknown {
  if (given === null || given === undefined || given === '') return undefined;
  if (attribute.many) {
    const items = listOf(name, attribute, given).map((item: unknown) => canonicalItem(name, attribute, item));
    const present = items.filter((item) => item !== undefined);
    return present.length === 0 ? undefined : present;
  }
  const isBoolean = attribute.type === 'boolean';
  const value = isBoolean ? asBoolean(given) : typeof given === 'number' ? String(given) : given;
  if (isBoolean ? typeof value === 'boolean' : typeof value === 'string') return value;
  throw scimFault('invalidValue', `${name} must be ${isBoolean ? 'true or false' : 'a text'}.`);
}

/** The values of a list that is sent. @throws ApiError `invalidValue` for more than the list may have */
export function listOf(name: string, { many = 0 }: Attribute, given: unknown): unknown[] {
  const items = Array.isArray(given) ? given : [given];
  if (items.length > many) throw scimFault('invalidValue', `${name} must have at most ${many} values.`);
  return items;
}

/** One of a list: a text alone is its value. */
export function canonicalItem(name: string, { sub = [] }: Attribute, given: unknown): Resource | undefined {
  const object = typeof given === 'string' ? { value: given } : objectOf(name, given);
  const entries = Object.entries(object ?? {}).flatMap(([key, value]): [string, unknown][] => {
    const known = attributeOf(sub, key);
    if (known === undefined || known.ignored) return [];
    const canonical = canonicalValue(`${name}.${known.name}`, known, value);
    return canonical === undefined ? [] : [[known.name, canonical]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A resource as the schemas write it. @throws ApiError `invalidValue` */
export function canonicalResource(given: object, schemas: readonly Schema[]): Resource {
  const resource: Resource = {};
  for (const { place, value } of valuesOf(given, schemas)) {
    if (value === undefined) continue;
    const path = stepsOf(place);
    const last = path.pop() ?? '';
    let target = resource;
    for (const step of path) {
      const next = (target[step] ?? {}) as Resource;
      target[step] = next;
      target = next;
    }
    target[last] = value;
  }
  return resource;
}

function stepsOf({ extension, attribute, sub }: Place): string[] {
  return [extension, attribute.name, sub?.name].filter((step) => step !== undefined);
}

function objectOf(name: string, value: unknown): object | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw scimFault('invalidValue', `${name} must be an object.`);
}
