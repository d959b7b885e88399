import { isObject } from '../../entities/check-fields.ts';
import { parseOnce } from '../../lib/strict-json.ts';
import { IMPORT_FIELDS, type ImportField, isOwnField, isTarget, plainName, TARGETS_OF_COLUMNS } from './columns.ts';
import { LEGACY_ENCODINGS, SEPARATORS } from './csv-text.ts';
import type { TableChoices } from './draft.ts';

/** Key of the choices of columns that stands for all that are not named. */
export const OTHER_COLUMNS = '*';

/** A choice that is not valid; `expected` completes its name to a sentence. */
export interface ChoiceProblem {
  field: string;
  expected: string;
}

interface Rule {
  expected: string;
  isGood: (value: unknown) => boolean;
}

const oneOf = (...values: readonly unknown[]): Rule => ({
  expected: `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  isGood: (value) => values.includes(value),
});
const isText = (value: unknown): value is string => typeof value === 'string';
const isLine = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
const isYear = (value: unknown) => Number.isInteger(value) && Number(value) >= 1999 && Number(value) <= 2200;
const isField = (name: string): name is ImportField =>
  IMPORT_FIELDS.some((field) => field === name) || isOwnField(name);

/** What may be chosen for a table, and by which rule. */
const RULES: Readonly<Record<keyof TableChoices, Rule>> = {
  sheet: { expected: 'must be the name of a sheet', isGood: isText },
  encoding: oneOf(...LEGACY_ENCODINGS),
  header: {
    expected: 'must be the number of a line, or 0 for a file without names of columns',
    isGood: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
  from: { expected: 'must be the number of a line', isGood: isLine },
  leaveOut: {
    expected: 'must be a list of numbers of lines',
    isGood: (value) => Array.isArray(value) && value.every(isLine),
  },
  columns: {
    expected: `must give each name of a column one of ${[...TARGETS_OF_COLUMNS].map((name) => JSON.stringify(name)).join(', ')}`,
    isGood: (value) => isObject(value) && Object.values(value).every(isTarget),
  },
  values: {
    expected: 'must give fields an object with the value that stands for each text',
    isGood: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([field, texts]) => isField(field) && isObject(texts) && Object.values(texts).every(isText),
      ),
  },
  departments: { expected: 'must be "create", or the code of a department for all unknown ones', isGood: isText },
  newcomer: oneOf(true, false),
  externalIds: oneOf('keep', 'replace'),
  dates: oneOf('day-first', 'month-first'),
  calendar: oneOf('gregorian', 'buddhist'),
  years: {
    expected: 'must give fields of dates the latest year that two digits mean, such as {"dateOfBirth":2010}',
    isGood: (value) =>
      isObject(value) && Object.entries(value).every(([field, year]) => isField(field) && isYear(year)),
  },
  garbled: oneOf(true, false),
  separator: oneOf(...SEPARATORS),
  serials: oneOf(true, false),
  decimal: oneOf('.', ','),
  hidden: oneOf(true, false),
};

/** Names of all choices, for messages and help. */
export const CHOICE_NAMES = Object.keys(RULES);

/** Reads the choices of a table from JSON text. Names of columns and texts of values count without case, accents and signs. */
export function readChoices(text: string): { choices: TableChoices } | { problems: ChoiceProblem[] } {
  let given: unknown;
  try {
    given = parseOnce(text);
  } catch {
    given = undefined;
  }
  if (!isObject(given))
    return { problems: [{ field: 'choices', expected: 'must be a JSON object with each name once' }] };
  const problems = Object.entries(given).flatMap(([name, value]): ChoiceProblem[] => {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof TableChoices] : undefined;
    if (rule?.isGood(value)) return [];
    return [{ field: `choices.${name}`, expected: rule?.expected ?? `is not one of ${CHOICE_NAMES.join(', ')}` }];
  });
  if (problems.length > 0) return { problems };
  const { columns, values, ...others } = given as TableChoices;
  const plain = <Value>(texts: Readonly<Record<string, Value>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, value]) => [key === OTHER_COLUMNS ? key : plainName(key), value]),
    );
  return {
    choices: {
      ...others,
      ...(columns && { columns: plain(columns) }),
      ...(values && {
        values: Object.fromEntries(Object.entries(values).map(([field, texts]) => [field, plain(texts)])),
      }),
    },
  };
}
