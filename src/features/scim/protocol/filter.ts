import { type Compare, type Filter, parse } from 'scim2-parse-filter';
import { ScimError } from './error.ts';
import { type Attribute, attributeNamed, type Item } from './schema.ts';

/** Maximum characters of a filter. */
const MAX_LENGTH = 4_000;
/** Maximum comparisons of a filter, or of all paths of a request together. */
export const MAX_COMPARISONS = 20;
const MAX_DEPTH = 30;

/** Comparisons left for a request. */
export interface ComparisonBudget {
  left: number;
}

const LITERAL = /"(?:[^"\\]|\\.)*"/g;

/**
 * Parses a filter (RFC 7644, section 3.4.2.2).
 *
 * @param budget shared by the filters of one request
 * @throws ApiError `invalidFilter`
 */
export function parseFilter(text: string, budget: ComparisonBudget = { left: MAX_COMPARISONS }): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`it has more than ${MAX_LENGTH} characters`);
  // The parser does not decode JSON escapes: literals are replaced by their index.
  const literals: string[] = [];
  const numbered = text.replace(LITERAL, (literal) => `"${literals.push(readLiteral(literal)) - 1}"`);
  let parsed: Filter;
  try {
    parsed = parse(numbered);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
  function check(filter: Filter, depth: number): Filter {
    if (depth > MAX_DEPTH) throw invalid(`it is nested deeper than ${MAX_DEPTH} levels`);
    if ('filters' in filter) return { ...filter, filters: filter.filters.map((each) => check(each, depth + 1)) };
    if ('filter' in filter) return { ...filter, filter: check(filter.filter, depth + 1) };
    if ('valFilter' in filter) return { ...filter, valFilter: check(filter.valFilter, depth + 1) };
    budget.left -= 1;
    if (budget.left < 0) throw invalid(`it has more than ${MAX_COMPARISONS} comparisons`);
    if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
    return { ...filter, compValue: literals[Number(filter.compValue)] ?? '' };
  }
  return check(parsed, 0);
}

function readLiteral(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw invalid(`${literal} is no text of JSON`);
  }
}

function invalid(reason: string): Error {
  return new ScimError('invalidFilter', `The filter is not understood: ${reason}.`);
}

/** Converts the texts true and false, in any case, to booleans: Entra ID sends `"True"` and `"False"`. Returns other values unchanged. */
export function asBoolean(value: unknown): unknown {
  return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
}

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
