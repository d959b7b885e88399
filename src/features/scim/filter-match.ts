import type { Compare, Filter } from 'scim2-parse-filter';
import type { Attribute, Item } from './attribute.ts';
import { attributeNamed } from './attribute-path.ts';
import { asBoolean } from './filter-syntax.ts';
import { ScimError } from './scim-error.ts';

/**
 * Returns a predicate that tells whether a filter selects an item of a list (RFC 7644, section 3.4.2.2).
 *
 * @throws ApiError `invalidPath` for an unknown sub-attribute
 */
export function matcherOf(filter: Filter, list: Attribute): (item: Item) => boolean {
  if ('filters' in filter) {
    const matchers = filter.filters.map((each) => matcherOf(each, list));
    if (filter.op === 'and') return (item) => matchers.every((matches) => matches(item));
    return (item) => matchers.some((matches) => matches(item));
  }
  if ('filter' in filter) {
    const matches = matcherOf(filter.filter, list);
    return (item) => !matches(item);
  }
  const sub = attributeNamed(list.sub ?? [], filter.attrPath);
  if (sub === undefined || 'valFilter' in filter) {
    throw new ScimError('invalidPath', `There is no attribute ${filter.attrPath} to choose by.`);
  }
  const valueIn = (item: Item) => item[sub.name] ?? sub.implied;
  if (filter.op === 'pr') return (item) => valueIn(item) !== undefined;
  const { op, compValue } = filter;
  const wanted = sub.type === 'boolean' ? asBoolean(compValue) : comparable(sub, compValue);
  return (item) => {
    const value = valueIn(item);
    if (value === undefined || wanted === null) return (op === 'ne') !== (value === undefined && wanted === null);
    return compare(op, sub.type === 'boolean' ? value : comparable(sub, value), wanted);
  };
}

/** Returns the values that a filter of `eq` comparisons joined by `and` requires; undefined for other filters. */
export function demandedBy(filter: Filter, list: Attribute): Item | undefined {
  const parts = filter.op === 'and' ? filter.filters : [filter];
  const item: Record<string, string | boolean> = {};
  for (const part of parts) {
    if (part.op !== 'eq' || part.compValue === null) return undefined;
    const sub = attributeNamed(list.sub ?? [], part.attrPath);
    const value = sub?.type === 'boolean' ? asBoolean(part.compValue) : String(part.compValue);
    if (sub !== undefined && !sub.ignored) item[sub.name] = value as string | boolean;
  }
  return item;
}

/** Normalises a value for comparison. */
function comparable({ caseExact, normalize }: Attribute, value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : value;
  const text = normalize?.(value) ?? value;
  return caseExact ? text : text.toLowerCase();
}

function compare(op: Compare['op'], value: unknown, wanted: unknown): boolean {
  if (op === 'eq') return value === wanted;
  if (op === 'ne') return value !== wanted;
  if (typeof value !== 'string' || typeof wanted !== 'string') return false;
  switch (op) {
    case 'co':
      return value.includes(wanted);
    case 'sw':
      return value.startsWith(wanted);
    case 'ew':
      return value.endsWith(wanted);
    case 'gt':
      return value > wanted;
    case 'ge':
      return value >= wanted;
    case 'lt':
      return value < wanted;
    default:
      return value <= wanted;
  }
}
