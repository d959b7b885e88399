import { REPLACEMENT } from '../../../src/entities/characters.ts';
import { user } from '../../../src/entities/user.ts';
import type { ValueKind } from '../../../src/entities/values.ts';
import { IMPORT_FIELDS, type ImportField } from '../../../src/import/tables/columns.ts';
import type { ImportRow } from '../../../src/import/tables/draft.ts';
import { t } from '../translate.ts';
import { FIELD_LABELS } from './labels.ts';
import { columnOf, type RowProblem } from './outcome.ts';

const REASONS = {
  empty: (column: string) => t('{column} is empty.', { column }),
  unknown: () => t('Nothing has this name or code.'),
  ambiguous: () => t('Several have this name. Use the code.'),
  twice: (line: string) => t('Line {line} has the same.', { line }),
  taken: () => t('Somebody outside the company has this already.'),
  noUser: () => t('Nobody has this ID.'),
  ownLimit: () => t('Your own limit, band and points can only be changed by another Corporate Admin.'),
  protected: () =>
    t(
      'They hold a role on the platform or in another company: only a Super Admin can change their e-mail address or status.',
    ),
  lastAdmin: () => t('They are the last active admin. Give the role to somebody else first.'),
  left: () => t('Somebody who has left had this: choose above whether this is the same person.'),
  otherId: () => t('A directory knows this person by another ID: choose above which one stays.'),
  incomplete: (columns: string) => t('Nobody has this e-mail address. A new person needs: {columns}.', { columns }),
};
const RULE_TEXTS: Readonly<Partial<Record<string, string>>> = {
  email: t('This is not an e-mail address, such as asha.rao@acme.example.'),
  firstName: t('Use 1 to 100 visible characters.'),
  lastName: t('Use up to 100 visible characters.'),
  phone: t('Use 7 to 15 digits, for example +91 98450 12345.'),
  approvalLimit: t('Use an amount of at least 0, with at most two decimals.'),
  dateOfBirth: t('Use a date from 1900 to today, such as 1990-12-31.'),
  gender: t('Use up to 50 characters.'),
  addressLine1: t('Use up to 255 characters, in one line.'),
  addressLine2: t('Use up to 255 characters, in one line.'),
  pincode: t('Use 3 to 12 letters or digits.'),
  loyaltyPoints: t('Use a whole number from 0.'),
  id: t('This is not an ID of this service. Leave the column out.'),
  departmentId: t('This is not an ID of this service.'),
  bandId: t('This is not an ID of this service.'),
};

const RULES: Readonly<Record<string, { kind: ValueKind }>> = user.fields;

/** Patterns of the service's messages about values that satisfy their rules; capture groups go into the translation. */
const SENTENCES: readonly (readonly [RegExp, keyof typeof REASONS])[] = [
  [/ is the .* of no \w+/, 'unknown'],
  [/ is the .* of \d+ \w+s/, 'ambiguous'],
  [/ stands on line (\d+) already/, 'twice'],
  [/ belongs to another user/, 'taken'],
  [/ is the id of no user/, 'noUser'],
  [/choose newcomer/, 'left'],
  [/choose externalIds/, 'otherId'],
  [/^there is no such user yet, and a new one needs (.*?): /, 'incomplete'],
  [/^Nobody changes their own /, 'ownLimit'],
  [/^This person holds a platform role/, 'protected'],
  [/^This is the last active (?:Corporate|Super) Admin/, 'lastAdmin'],
];

/** Whether a problem is that somebody is new, and more is needed of them. */
export function isIncomplete({ message }: RowProblem): boolean {
  return SENTENCES.some(([pattern, reason]) => reason === 'incomplete' && pattern.test(message));
}

/** Returns a problem in the reader's language; a rare one as the service words it. */
export function problemText({ column, message }: RowProblem, { values }: Pick<ImportRow, 'values'>): string {
  for (const [pattern, reason] of SENTENCES) {
    const found = pattern.exec(message);
    if (found) return REASONS[reason](labelled(found[1] ?? ''));
  }
  const field = IMPORT_FIELDS.find((name) => name === column);
  if (field === undefined) return message;
  const value = values[field] ?? '';
  if (value === '') return t('{column} is empty.', { column: FIELD_LABELS[field] });
  if (value.includes(REPLACEMENT))
    return t('The sign � stands for a character that could not be read. Type what belongs there.');
  return breaksRule(field, value) ? (RULE_TEXTS[field] ?? message) : message;
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
