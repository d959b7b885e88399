import { brandImage } from '../../../src/entities/brand.ts';
import type { Entity, Field } from '../../../src/entities/entity.ts';
import { readAmount } from '../../../src/entities/money.ts';
import { birthDate, date, email, money, phone, type ValueKind } from '../../../src/entities/values.ts';
import { separators, typedAmount } from '../format.ts';
import { fieldLabel, YES_NO } from '../labels.ts';
import { t } from '../translate.ts';
import { type Choice, choicesOf } from './choices.ts';
import type { Typed } from './draft.ts';
import { fieldProblem, NO_AMOUNT } from './field-problems.ts';

/** A field of a form. Values are texts. */
export interface FormField {
  /** The name of the value; of one within an object the way to it: `employment.jobTitle`. */
  name: string;
  label: string;
  /** Absent: a choice where there are choices, otherwise a text. */
  kind?:
    | ('text' | 'email' | 'tel' | 'date' | 'moment' | 'money' | 'whole')
    | ('checkbox' | 'choice' | 'choices' | 'person' | 'people' | 'image' | 'state' | 'rows');
  /** Of a list of rows, which are sent as a whole. */
  rows?: RowsOfField;
  /** An amount without the sign of a currency. */
  isPlain?: boolean;
  /** How the value is sent; absent: as a text. Pairs are typed as `hd=acme.example, tid=…`, several texts with commas. */
  sentAs?: 'number' | 'boolean' | 'pairs' | 'texts' | 'json';
  choices?: readonly Choice[];
  /** The company whose people can be chosen. */
  companyId?: string;
  isRequired?: boolean;
  /** An empty field is sent as null. */
  isNullable?: boolean;
  /** An empty field is sent as an empty text. */
  mayBeEmpty?: boolean;
  /** Once set, it can be changed but not cleared. */
  staysSet?: boolean;
  hint?: string;
  /** Groups adjacent fields that have the same title. */
  group?: { title: string; note: string };
  placeholder?: string;
  autoComplete?: string;
  /** Whether the other values call for it; absent: always. */
  isShown?: (typed: Typed) => boolean;
  /** Takes the whole width of the form. */
  isWide?: boolean;
  /** Why the user may not change it. */
  locked?: string | undefined;
  /** The rule of the service, checked before sending. */
  rule?: ValueKind;
}

/** What the rows of a field are. */
interface RowsOfField {
  fields: readonly FormField[];
  /** What one row is called. */
  label: string;
  most: number;
  nameOf: (row: Readonly<Record<string, unknown>>) => string;
  /** Returns the rows after a value of the one at an index is changed, which may change others. */
  set: (rows: readonly Typed[], at: number, name: string, text: string) => readonly Typed[];
}

export type Sent = Record<string, string | number | boolean | null | string[] | Record<string, string> | object[]>;

/** Returns the rows in the value of a field, each with the id of a saved one. */
export function rowsIn(value: string | undefined): Typed[] {
  return value ? (JSON.parse(value) as Typed[]) : [];
}

/** Returns the fields that a row asks for. */
export function fieldsOfRow({ fields }: RowsOfField, row: Typed): readonly FormField[] {
  return fields.filter(({ isShown }) => isShown?.(row) !== false);
}

/** Returns fields and values with those of rows, under the names that the service gives them: `taxRegistrations[0].number`. */
export function withRows(fields: readonly FormField[], typed: Typed): { all: readonly FormField[]; texts: Typed } {
  const inner = fields.flatMap(({ name, rows }) =>
    rows === undefined
      ? []
      : rowsIn(typed[name]).flatMap((row, at) =>
          fieldsOfRow(rows, row).map((field) => ({
            ...{ ...field, name: `${name}[${at}].${field.name}` },
            text: row[field.name] ?? '',
          })),
        ),
  );
  return {
    all: [...fields, ...inner],
    texts: { ...typed, ...Object.fromEntries(inner.map(({ name, text }) => [name, text])) },
  };
}

/** Returns the pairs of an object as they are typed. */
export function pairsOf(object: Readonly<Record<string, string>>): string {
  return Object.entries(object)
    .map((pair) => pair.join('='))
    .join(', ');
}

/**
 * Returns form fields of an entity, whose rules, kinds and requiredness follow from its description.
 *
 * @param names of the fields that the form has, in its order
 * @param own what differs from the description, by the name of the field
 */
export function entityFields(
  { fields }: Pick<Entity, 'fields'>,
  names: readonly string[],
  own: Readonly<Partial<Record<string, Partial<FormField>>>> = {},
): readonly FormField[] {
  return names.flatMap((name): FormField[] => {
    const field = fields[name];
    return field === undefined ? [] : [{ name, label: fieldLabel(name), ...formOf(field), ...own[name] }];
  });
}

/** Returns the values of an object for the fields of its form. */
export function typedOf(fields: readonly FormField[], item: object): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, typedValue(field, valueAt(item, field.name))]));
}

/** Returns the value of an object by the name of a field; undefined if it has none. */
export function valueAt(item: object, name: string): unknown {
  const within = (value: unknown, part: string) => (value as Readonly<Record<string, unknown>> | null)?.[part];
  return name.split('.').reduce<unknown>((value, part) => within(value ?? null, part), item);
}

function typedValue({ kind, sentAs, rows }: FormField, value: unknown): string {
  if (rows) {
    const saved = (value ?? []) as ({ id: string } & object)[];
    return JSON.stringify(saved.map((row) => ({ id: row.id, ...typedOf(rows.fields, row) })));
  }
  if (value === undefined || value === null) return '';
  if (sentAs === 'json') return JSON.stringify(value);
  if (sentAs === 'pairs') return pairsOf(value as Record<string, string>);
  if (sentAs === 'texts') return (value as string[]).join(', ');
  if (Array.isArray(value)) return value.map(encodeURIComponent).join(' ');
  if (kind === 'date') return String(value).slice(0, 10);
  return kind === 'money' ? typedAmount(String(value)) : String(value);
}

/** Returns the values with the fields `employment.jobTitle` and so on as one nested object. */
export function nested(sent: Sent): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const [outer = '', inner] = name.split('.');
    all[outer] = inner === undefined ? value : { ...(all[outer] as object | undefined), [inner]: value };
  }
  return all;
}

const KINDS = new Map<ValueKind, NonNullable<FormField['kind']>>([
  [email, 'email'],
  [phone, 'tel'],
  [birthDate, 'date'],
  [date, 'date'],
  [brandImage, 'image'],
]);

function formOf({ kind, nullable, default: preset, ...field }: Field): Omit<FormField, 'name' | 'label'> {
  const staysSet = field.staysSet === true;
  const isNullable = nullable === true && !staysSet;
  const isGiven = preset === undefined && nullable !== true;
  const mayBeEmpty = isGiven && 'value' in kind.parse('');
  const common = { isRequired: isGiven && !mayBeEmpty, mayBeEmpty, isNullable, staysSet };
  // Amounts are typed as people write them, which their rule does not take.
  if (kind === money) return { ...common, kind: 'money' };
  const { type, enum: values } = kind.schema as { type?: string; enum?: readonly string[] };
  if (type === 'boolean') return { ...common, choices: choicesOf(YES_NO, '–'), sentAs: 'boolean' };
  if (values) return { ...common, choices: choicesOf(values, '–'), rule: kind };
  const shown = KINDS.get(kind) ?? (type === 'integer' ? 'whole' : undefined);
  return { ...common, ...(shown && { kind: shown }), rule: kind };
}

/** Returns the problems of the values, by field name. @param saved the values before */
export function problemsIn(fields: readonly FormField[], typed: Typed, saved: Typed): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const wasSet = field.staysSet === true && (saved[field.name] ?? '') !== '';
      const problem = problemOf({ ...field, isRequired: field.isRequired || wasSet }, (typed[field.name] ?? '').trim());
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}

function problemOf({ label, kind, isRequired, rule }: FormField, text: string): string | undefined {
  if (text === '') return isRequired ? t('{label} is required.', { label }) : undefined;
  if (kind === 'money') {
    return readAmount(text, separators) === undefined ? NO_AMOUNT : undefined;
  }
  const result = rule?.parse(text);
  return result && 'code' in result ? fieldProblem({ label, rule }, result.code, text) : undefined;
}

/**
 * Returns the fields to send: those whose value differs from the saved one.
 *
 * @param saved empty for a new object
 */
export function changesIn(fields: readonly FormField[], typed: Typed, saved: Typed): Sent {
  const isChanged = ({ name, mayBeEmpty }: FormField) =>
    (mayBeEmpty ? (typed[name] ?? '') : typed[name]) !== saved[name];
  const changed = fields.filter((field) => field.locked === undefined && isChanged(field));
  return Object.fromEntries(
    changed.flatMap((field) => {
      const value = sentValue(field, (typed[field.name] ?? '').trim());
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function sentValue({ kind, isNullable, mayBeEmpty, sentAs, rows }: FormField, text: string): Sent[string] | undefined {
  if (rows)
    return rowsIn(text).map((row) => ({
      ...(row.id && { id: row.id }),
      ...changesIn(fieldsOfRow(rows, row), row, {}),
    }));
  const split = (by: string) => text.split(by).flatMap((part) => part.trim() || []);
  if (kind === 'choices' || kind === 'people') return split(' ').map(decodeURIComponent);
  if (sentAs === 'texts') return split(',');
  if (sentAs === 'pairs') {
    const pairs = split(',').map((pair) => pair.split('=').map((part) => part.trim()));
    return Object.fromEntries(pairs.filter(([key]) => key).map(([key = '', ...value]) => [key, value.join('=')]));
  }
  if (text === '') return isNullable ? null : mayBeEmpty ? '' : undefined;
  if (kind === 'whole' || sentAs === 'number') return Number(text);
  if (sentAs === 'json') return JSON.parse(text) as Sent[string];
  if (sentAs === 'boolean') return text === 'true';
  if (kind === 'money') return readAmount(text, separators);
  return kind === 'moment' ? new Date(text).toISOString() : text;
}
