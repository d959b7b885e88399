import { gstinFault } from '../../../src/entities/gstin.ts';
import { birthDate, email, gstin, phone, pincode, type ValueKind } from '../../../src/entities/values.ts';
import { formatDate } from '../format.ts';
import { pageTexts } from '../texts.ts';

const words = pageTexts.problems;

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

/** Rules with one message for any violation. */
const SENTENCES = new Map<ValueKind, string>([
  [email, words.email],
  [phone, words.phone],
  [pincode, words.pincode],
  [birthDate, words.date(formatDate('1900-01-01T00:00:00Z'))],
]);

/** Returns the message for a value that violates its rule, in the reader's language. @param code the code of the violation */
export function fieldProblem({ label, rule }: NamedField, code: string, text: string): string {
  if (text.trim() === '') return pageTexts.form.required(label);
  const sentence = rule && SENTENCES.get(rule);
  if (sentence !== undefined) return sentence;
  if (rule === gstin) return gstinProblem(text);
  const [minimum, maximum] = [rule?.schema.minLength, rule?.schema.maxLength];
  if (code === 'TOO_LONG' && maximum !== undefined) return words.tooLong(label, String(maximum));
  if (code === 'TOO_SHORT' && minimum !== undefined) return words.tooShort(label, String(minimum));
  return words.characters(label);
}

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function gstinProblem(text: string): string {
  const number = text.trim().toUpperCase();
  if (gstinFault(number) === undefined) return words.registration;
  const digit = DIGITS.find((last) => gstinFault(number.slice(0, -1) + last) === undefined);
  return digit === undefined ? words.gstin : words.gstinDigit(digit);
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
  if (code === 'REQUIRED') return pageTexts.form.required(named.label);
  if (code === 'ALREADY_EXISTS') return words.taken(named.label);
  if (field === 'url' && code === 'INVALID_FORMAT') return words.url;
  const checked = named.rule?.parse(text);
  if (checked && 'code' in checked) return fieldProblem(named, checked.code, text);
  return words.refused(named.label, message.replace(field, named.label));
}
