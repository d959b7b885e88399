import { type Filter, parse } from 'scim2-parse-filter';
import { ScimError } from './scim-error.ts';

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
