import { ScimError } from './error.ts';

/** Requested attributes, by their names in lower case: whole, or some of their sub-attributes. */
export interface Projection {
  /** `only` returns the named attributes, `without` all others; undefined: everything. */
  mode: 'only' | 'without' | undefined;
  names: ReadonlyMap<string, 'whole' | ReadonlySet<string>>;
}

/** The projection of whole resources. */
const EVERYTHING: Projection = { mode: undefined, names: new Map() };

/** Maximum names in one parameter. */
const MAX_NAMES = 100;

/** Attributes in every response (RFC 7643, section 3.1). */
const ALWAYS = new Set(['id', 'schemas']);

/** An attribute of a schema, by its id and name in lower case: those of the standard are core or extension schemas. */
const QUALIFIED = /^(urn:.*:(?:user|group|fields:2\.0))(?:[:.](.*))?$/;
const CORE = /^urn:ietf:params:scim:schemas:core:/;

/**
 * Reads `attributes` and `excludedAttributes`, each a comma-separated text or a list. If both are present, `attributes` wins.
 *
 * @throws ApiError `invalidValue` for too many names
 */
export function readProjection({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const [only, without] = [namesIn('attributes', attributes), namesIn('excludedAttributes', excludedAttributes)];
  if (only.length > 0) return { mode: 'only', names: byAttribute(only) };
  return without.length > 0 ? { mode: 'without', names: byAttribute(without) } : EVERYTHING;
}

function namesIn(parameter: string, sent: unknown): string[] {
  if (sent === undefined) return [];
  const parts: unknown[] = (Array.isArray(sent) ? sent : [sent]).slice(0, MAX_NAMES + 1);
  const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(',', MAX_NAMES + 1) : []));
  if (parts.length > MAX_NAMES || names.length > MAX_NAMES) {
    throw new ScimError('invalidValue', `${parameter} must have at most ${MAX_NAMES} names.`);
  }
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
}

function byAttribute(names: readonly string[]): Projection['names'] {
  const chosen = new Map<string, 'whole' | Set<string>>();
  for (const name of names) {
    const { attribute, sub } = split(name);
    const present = chosen.get(attribute);
    if (sub === undefined || present === 'whole') chosen.set(attribute, 'whole');
    else chosen.set(attribute, (present ?? new Set()).add(sub));
  }
  return chosen;
}

/** Splits `name.givenname` and `urn:…:user:department`. A filter behind the name, as Microsoft's tests send it, is ignored. */
function split(named: string): { attribute: string; sub: string | undefined } {
  const name = named.replace(/\[[^\]]*\]?/, '');
  const [, schema, rest] = QUALIFIED.exec(name) ?? [];
  if (schema !== undefined && !CORE.test(schema)) return { attribute: schema, sub: rest || undefined };
  const [attribute = '', sub] = (schema === undefined ? name : (rest ?? '')).split('.');
  return { attribute, sub };
}

/** Returns whether the response includes an attribute. @param name in lower case */
export function isIncluded({ mode, names }: Projection, name: string): boolean {
  return mode === 'only' ? names.has(name) : names.get(name) !== 'whole';
}

/** Returns whether the response includes a sub-attribute of an included attribute. */
export function isPartIncluded({ mode, names }: Projection, name: string, sub: string): boolean {
  const chosen = names.get(name);
  return chosen === undefined || chosen === 'whole' || chosen.has(sub.toLowerCase()) === (mode === 'only');
}

/** Returns the resource with the requested attributes only. */
export function chooseAttributes(resource: Readonly<Record<string, unknown>>, projection: Projection): object {
  if (projection.mode === undefined) return resource;
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource)) {
    const key = name.toLowerCase();
    if (ALWAYS.has(key)) chosen[name] = value;
    else if (isIncluded(projection, key)) chosen[name] = partsOf(value, projection, key);
  }
  return chosen;
}

function partsOf(value: unknown, projection: Projection, key: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => partsOf(item, projection, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([sub]) => isPartIncluded(projection, key, sub)));
}
