import { ScimError, type ScimResource, scimPatch } from 'scim-patch';
import { type Filter, filter as matcherOf, stringify } from 'scim2-parse-filter';
import { ApiError } from '../../lib/errors.ts';
import { canonicalItem, isKept, listOf, type Place, partsOf, placeOf, type Resource, valuesOf } from './canonical.ts';
import { asBoolean, type ComparisonBudget, MAX_COMPARISONS, parseFilter } from './filter-syntax.ts';
import { type Attribute, attributeOf, type Schema } from './scim-attributes.ts';
import { scimFault } from './scim-errors.ts';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1_000;
const MAX_PATH = 1_000;

/** An operation as it was sent; `op` in lower case. */
export interface SentOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: unknown;
}

/** The operations of the body of a PATCH (RFC 7644, section 3.5.2). @throws ApiError `invalidSyntax`, `noTarget`, `invalidValue` */
export function readOperations(raw: unknown): SentOperation[] {
  const { schemas, Operations } = named(raw, ['schemas', 'Operations']);
  if (!Array.isArray(schemas) || !schemas.some((each) => String(each).toLowerCase() === PATCH_SCHEMA.toLowerCase())) {
    throw scimFault('invalidSyntax', `schemas must have ${PATCH_SCHEMA}.`);
  }
  if (!Array.isArray(Operations) || Operations.length === 0 || Operations.length > MAX_OPERATIONS) {
    throw scimFault('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  }
  return Operations.map((each: unknown, index) => {
    const { op, path, value } = named(each, ['op', 'path', 'value']);
    const name = typeof op === 'string' ? op.toLowerCase() : op;
    if (name !== 'add' && name !== 'replace' && name !== 'remove') {
      throw scimFault('invalidSyntax', `Operations[${index}].op must be add, replace or remove.`);
    }
    if (path !== undefined && path !== null && path !== '' && (typeof path !== 'string' || path.length > MAX_PATH)) {
      throw scimFault('invalidPath', `Operations[${index}].path must be a text of at most ${MAX_PATH} characters.`);
    }
    if (name !== 'remove' && value === undefined) throw scimFault('invalidValue', `Operations[${index}] has no value.`);
    if (name === 'remove' && !path)
      throw scimFault('noTarget', `Operations[${index}] removes nothing: it has no path.`);
    return { op: name, path: path ? path.trim() : undefined, value };
  });
}

/** Some members of an object, whatever the case of their names. */
function named<Name extends string>(raw: unknown, names: readonly Name[]): Record<Name, unknown> {
  const entries = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? Object.entries(raw) : [];
  const found = names.map((name) => [name, entries.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]]);
  return Object.fromEntries(found) as Record<Name, unknown>;
}

/** An operation on one place. */
interface Step {
  op: SentOperation['op'];
  place: Place;
  /** Which of a list. */
  filter: Filter | undefined;
  value: unknown;
}

/**
 * The resource with the operations applied, one after the other: those on what is not kept change nothing.
 *
 * @param resource as it is answered; it stays as it is
 * @throws ApiError `invalidPath`, `noTarget`, `invalidValue`, `mutability`
 */
export function patchResource(
  resource: Resource,
  operations: readonly SentOperation[],
  schemas: readonly Schema[],
): Resource {
  const patched = structuredClone(resource);
  const budget = { left: MAX_COMPARISONS };
  for (const operation of operations) {
    for (const step of stepsOf(operation, schemas, budget)) applyStep(patched, step);
  }
  return patched;
}

function stepsOf({ op, path, value }: SentOperation, schemas: readonly Schema[], budget: ComparisonBudget): Step[] {
  const step = (each: { place: Place; value: unknown }, filter?: Filter): Step => ({
    // What is made empty is removed.
    ...{ op: each.value === undefined ? 'remove' : op, filter },
    ...each,
  });
  if (path === undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw scimFault('invalidValue', 'Without a path the value must be an object.');
    }
    return valuesOf(value, schemas).map((each) => step(each));
  }
  const { name, filterText, sub } = partsOfPath(path);
  const place = placeOf(sub === undefined ? name : `${name}.${sub}`, schemas);
  if (place === undefined) throw scimFault('invalidPath', `There is no attribute ${path}.`);
  if (!('attribute' in place)) {
    if (op !== 'remove') return valuesOf({ [name]: value }, schemas).map((each) => step(each));
    return place.extension.attributes
      .map((attribute): Place => ({ extension: place.extension.id, attribute, sub: undefined }))
      .filter(isKept)
      .map((each) => step({ place: each, value: undefined }));
  }
  if (place.attribute.readOnly && place.attribute.name !== 'displayName') {
    throw scimFault('mutability', `${path} is made by orgdesk.`);
  }
  if (!isKept(place)) return [];
  if (filterText === undefined) {
    if (op === 'remove') return removals(place, value);
    return partsOf(path, place, value).map((each) => step(each));
  }
  if (!place.attribute.many || place.attribute.sub === undefined) {
    throw scimFault('invalidPath', `${place.attribute.name} is no list of which a filter could choose.`);
  }
  const filter = canonicalFilter(parseFilter(filterText, budget), place.attribute.sub);
  if (op === 'remove') return [step({ place, value: undefined }, filter)];
  if (place.sub !== undefined) return partsOf(path, place, value).map((each) => step(each, filter));
  const item = canonicalItem(path, place.attribute, value) ?? {};
  return Object.entries(item).map(([key, each]) =>
    step({ place: { ...place, sub: attributeOf(place.attribute.sub ?? [], key) }, value: each }, filter),
  );
}

/** A removal of a place, or with values of those in a list: `{ "op": "Remove", "path": "roles", "value": [{ "value": … }] }`. */
function removals(place: Place, value: unknown): Step[] {
  const { attribute, sub } = place;
  const items =
    attribute.many && sub === undefined && value !== undefined && value !== null
      ? listOf(attribute.name, attribute, value)
      : [];
  if (items.length === 0) {
    return partsOf(attribute.name, place, undefined).map((each) => ({ ...each, op: 'remove', filter: undefined }));
  }
  return items.flatMap((item: unknown): Step[] => {
    const wanted = canonicalItem(attribute.name, attribute, item)?.value;
    if (typeof wanted !== 'string') return [];
    return [{ op: 'remove', place, filter: { op: 'eq', attrPath: 'value', compValue: wanted }, value: undefined }];
  });
}

const PATH = /^([^[\]]+?)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s;

/** The name of an attribute, the filter in brackets behind it, and the name behind that. @throws ApiError `invalidPath` */
export function partsOfPath(path: string): { name: string; filterText: string | undefined; sub: string | undefined } {
  const [, name, filterText, sub] = PATH.exec(path) ?? [];
  if (name === undefined) throw scimFault('invalidPath', `${path} is no path.`);
  return { name, filterText, sub };
}

/** A filter on the items of a list, with the names as the schema writes them. */
function canonicalFilter(filter: Filter, sub: readonly Attribute[]): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map((each) => canonicalFilter(each, sub)) };
  if ('filter' in filter) return { ...filter, filter: canonicalFilter(filter.filter, sub) };
  const attribute = attributeOf(sub, filter.attrPath);
  if (attribute === undefined || 'valFilter' in filter) {
    throw scimFault('invalidPath', `There is no attribute ${filter.attrPath} to choose by.`);
  }
  if (!('compValue' in filter)) return { ...filter, attrPath: attribute.name };
  const compValue = attribute.type === 'boolean' ? (asBoolean(filter.compValue) as boolean) : filter.compValue;
  return { ...filter, attrPath: attribute.name, compValue };
}

/** What paths of the library cannot hold: they end at a bracket, and read no escapes. */
const NOT_IN_PATHS = /[[\]"\\]/;

function applyStep(resource: Resource, { op, place, filter, value }: Step): void {
  const { extension, attribute, sub } = place;
  const present = holderOf(resource, extension)?.[attribute.name];
  if (op === 'remove' && present === undefined) return;
  if (op === 'remove' && filter !== undefined && !(present as unknown[]).some(matcherOf(filter))) return;
  if (op !== 'remove' && filter !== undefined) makeTarget(resource, attribute, filter);
  const chosen = filter === undefined ? '' : `[${stringify(filter)}]`;
  if (filter !== undefined && literalsOf(filter).some((literal) => NOT_IN_PATHS.test(literal))) {
    throw scimFault('invalidPath', 'A text in the filter of a path must have no brackets, quotes and backslashes.');
  }
  const path = `${extension === undefined ? '' : `${extension}:`}${attribute.name}${chosen}${sub === undefined ? '' : `.${sub.name}`}`;
  try {
    scimPatch(resource as unknown as ScimResource, [op === 'remove' ? { op, path } : { op, path, value }]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    throw scimFault(error instanceof ScimError && error.scimCode === 'noTarget' ? 'noTarget' : 'invalidValue', detail);
  }
  if (attribute.many !== undefined)
    listOf(attribute.name, attribute, holderOf(resource, extension)?.[attribute.name] ?? []);
}

function holderOf(resource: Resource, extension: string | undefined): Resource | undefined {
  return extension === undefined ? resource : (resource[extension] as Resource | undefined);
}

/** A value for an item that is not there makes the item (RFC 7644, section 3.5.2.3), of what the filter says that it has. */
function makeTarget(resource: Resource, attribute: Attribute, filter: Filter): void {
  const items = (resource[attribute.name] ?? []) as unknown[];
  if (items.some(matcherOf(filter))) return;
  const parts = filter.op === 'and' ? filter.filters : [filter];
  const item = parts.map((part) => (part.op === 'eq' ? ([part.attrPath, part.compValue] as const) : undefined));
  if (item.some((part) => part === undefined))
    throw scimFault('noTarget', `${attribute.name} has nothing that the filter chooses.`);
  resource[attribute.name] = [...items, Object.fromEntries(item.filter((part) => part !== undefined))];
}

function literalsOf(filter: Filter): string[] {
  if ('filters' in filter) return filter.filters.flatMap(literalsOf);
  if ('filter' in filter) return literalsOf(filter.filter);
  return 'compValue' in filter && typeof filter.compValue === 'string' ? [filter.compValue] : [];
}
