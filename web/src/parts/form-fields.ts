import type { ValueKind } from '../../../src/entities/values.ts';
import { readAmount } from '../amounts.ts';
import { amountExamples, separators } from '../format.ts';
import { pageTexts } from '../texts.ts';
import { fieldProblem } from './field-problems.ts';
import type { Typed } from './merge-typed.ts';

/** A field of a form. Values are texts. */
export interface FormField {
  name: string;
  label: string;
  kind?: 'text' | 'email' | 'tel' | 'date' | 'moment' | 'money' | 'whole' | 'choice';
  choices?: readonly { value: string; label: string }[];
  isRequired?: boolean;
  /** An empty field is sent as null. */
  isNullable?: boolean;
  hint?: string;
  /** Groups adjacent fields that have the same title. */
  group?: { title: string; note: string };
  placeholder?: string;
  /** Why the user may not change it. */
  locked?: string | undefined;
  /** The rule of the service, checked before sending. */
  rule?: ValueKind;
}

export type Sent = Record<string, string | number | boolean | null>;

/** Returns the problems of the values, by field name. */
export function problemsIn(fields: readonly FormField[], typed: Typed): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field, (typed[field.name] ?? '').trim());
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}

function problemOf({ label, kind, isRequired, rule }: FormField, text: string): string | undefined {
  if (text === '') return isRequired ? pageTexts.form.required(label) : undefined;
  if (kind === 'money') {
    return readAmount(text, separators) === undefined ? pageTexts.policies.amountWrong(...amountExamples) : undefined;
  }
  const result = rule?.parse(text);
  return result && 'code' in result ? fieldProblem({ label, rule }, result.code, text) : undefined;
}

/**
 * Returns the fields to send: those whose value differs from the first one.
 *
 * @param first empty for a new object
 */
export function changesIn(fields: readonly FormField[], typed: Typed, first: Typed): Sent {
  const changed = fields.filter(({ name, locked }) => locked === undefined && typed[name] !== first[name]);
  return Object.fromEntries(
    changed.flatMap((field) => {
      const value = sentValue(field, (typed[field.name] ?? '').trim());
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function sentValue({ kind, isNullable }: FormField, text: string): Sent[string] | undefined {
  if (text === '') return isNullable ? null : undefined;
  if (kind === 'whole') return Number(text);
  if (kind === 'money') return readAmount(text, separators);
  return kind === 'moment' ? new Date(text).toISOString() : text;
}
