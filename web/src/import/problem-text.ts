import { REPLACEMENT } from '../../../src/entities/characters.ts';
import { user } from '../../../src/entities/user.ts';
import type { ValueKind } from '../../../src/entities/values.ts';
import { IMPORT_FIELDS, type ImportField } from '../../../src/import/tables/columns.ts';
import type { ImportRow } from '../../../src/import/tables/draft.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { FIELD_LABELS } from './labels.ts';
import { columnOf, type RowProblem } from './outcome.ts';

const RULES: Readonly<Record<string, { kind: ValueKind }>> = user.fields;

/** Patterns of the service's messages about values that satisfy their rules; capture groups go into the translation. */
const SENTENCES: readonly (readonly [RegExp, keyof typeof words.reasons])[] = [
  [/ is the .* of no \w+/, 'unknown'],
  [/ is the .* of \d+ \w+s/, 'ambiguous'],
  [/ stands on line (\d+) already/, 'twice'],
  [/ belongs to another user/, 'taken'],
  [/ is the id of no user/, 'noUser'],
  [/^there is no such user yet, and a new one needs (.*?): /, 'incomplete'],
  [/^Nobody changes their own /, 'ownLimit'],
  [/^This person holds a platform role/, 'protected'],
  [/^This is the last active (?:Corporate|Super) Admin/, 'lastAdmin'],
];

/** Returns a problem in the reader's language; a rare one as the service words it. */
export function problemText({ column, message }: RowProblem, { values }: Pick<ImportRow, 'values'>): string {
  for (const [pattern, reason] of SENTENCES) {
    const found = pattern.exec(message);
    if (found) return words.reasons[reason](labelled(found[1] ?? ''));
  }
  const field = IMPORT_FIELDS.find((name) => name === column);
  if (field === undefined) return message;
  const value = values[field] ?? '';
  if (value === '') return words.reasons.empty(FIELD_LABELS[field]);
  if (value.includes(REPLACEMENT)) return words.replaced;
  return breaksRule(field, value) ? (words.rules[field] ?? message) : message;
}

function breaksRule(field: ImportField, value: string): boolean {
  const checked = RULES[field]?.kind.parse(value);
  return checked !== undefined && 'expected' in checked;
}

/** Without those of ids, which few files have. */
const NAMED = IMPORT_FIELDS.filter((field) => !/Id$/.test(field));

/** Returns the labels of the columns that a text names; the text itself if it names none. */
function labelled(text: string): string {
  const named = text.match(/\w+/g)?.flatMap((word) => columnOf(word, NAMED) ?? []) ?? [];
  return named.length === 0 ? text : [...new Set(named.map((field) => FIELD_LABELS[field]))].join(', ');
}
