import { gstinFault } from '../../../src/entities/gstin.ts';
import { birthDate, email, gstin, NOT_BLANK, phone, pincode, type ValueKind } from '../../../src/entities/values.ts';
import { amountExamples, formatDate } from '../format.ts';
import { t } from '../translate.ts';

/** A field of a form, with what the message of a problem needs. */
export interface NamedField {
  label: string;
  /** The rule of the service. */
  rule?: ValueKind | undefined;
}

/** A problem as the service reports it. */
export interface FieldProblem {
  field: string;
  code?: string;
  message: string;
}

/** The message for a text that is no amount. */
export const NO_AMOUNT = t(
  'An amount is digits with at most two decimals, such as {grouped} or {plain}.',
  amountExamples,
);

/** Rules with one message for any violation. */
const SENTENCES = new Map<ValueKind, string>([
  [email, t('Enter an e-mail address, for example asha.rao@acme.example.')],
  [phone, t('Enter a phone number with 7 to 15 digits, for example +91 98450 12345.')],
  [pincode, t('Enter 3 to 12 letters, digits, spaces or hyphens.')],
  [birthDate, t('Enter a date from {first} to today.', { first: formatDate('1900-01-01T00:00:00Z') })],
]);

/** Returns the message for a value that violates its rule, in the reader's language. @param code the code of the violation */
export function fieldProblem({ label, rule }: NamedField, code: string, text: string): string {
  if (text.trim() === '') return t('{label} is required.', { label });
  const sentence = rule && SENTENCES.get(rule);
  if (sentence !== undefined) return sentence;
  if (rule === gstin) return gstinProblem(text);
  const [minimum, maximum] = [rule?.schema.minLength, rule?.schema.maxLength];
  if (code === 'TOO_LONG' && maximum !== undefined)
    return t('{label}: enter at most {most, plural, one {# character} other {# characters}}.', {
      label,
      most: Number(maximum),
    });
  if (code === 'TOO_SHORT' && minimum !== undefined)
    return t('{label}: enter at least {least, plural, one {# character} other {# characters}}.', {
      label,
      least: Number(minimum),
    });
  const reading = rule?.parse(text);
  // Of a text of any words all that remains to be wrong are its characters.
  if (rule?.schema.pattern === NOT_BLANK || !reading || 'value' in reading)
    return t('{label} contains characters that cannot be used.', { label });
  return t('{message}', { label, message: `${label} must be ${reading.expected}.` });
}

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function gstinProblem(text: string): string {
  const number = text.trim().toUpperCase();
  if (gstinFault(number) === undefined) return t('Enter up to 30 letters, digits or hyphens.');
  const digit = DIGITS.find((last) => gstinFault(number.slice(0, -1) + last) === undefined);
  return digit === undefined
    ? t('This is no valid GSTIN. Check for a typing error, for example against 27AAPFU0939F1ZV.')
    : t('This GSTIN’s last character should be {digit}. Check for a typing error.', { digit });
}

/** Returns the service's field problems in the reader's language, by field name. */
export function nameFields(
  problems: readonly FieldProblem[],
  fields: Readonly<Record<string, NamedField>>,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    problems.map((problem) => [
      problem.field,
      namedProblem(problem, fields[problem.field] ?? { label: problem.field }, typed[problem.field] ?? ''),
    ]),
  );
}

function namedProblem({ field, code, message }: FieldProblem, named: NamedField, text: string): string {
  if (code === 'REQUIRED') return t('{label} is required.', { label: named.label });
  if (code === 'ALREADY_EXISTS') return t('{label} is already in use.', { label: named.label });
  if (field === 'until' && code === 'OUT_OF_RANGE') return t('The last day is before the first one.');
  if (field === 'url' && code === 'INVALID_FORMAT') return t('Enter a URL, such as https://hooks.example.com/people.');
  const checked = named.rule?.parse(text);
  if (checked && 'code' in checked) return fieldProblem(named, checked.code, text);
  return t('{message}', { label: named.label, message: message.replace(field, named.label) });
}
