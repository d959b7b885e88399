import { Anchor, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { EXTENDED_ENTITIES } from '../../../src/entities/field-definition.ts';
import { type FieldLevel, isEnough } from '../../../src/entities/formed-values.ts';
import { readAmount } from '../../../src/entities/money.ts';
import { integer } from '../../../src/entities/values.ts';
import type { OwnField } from '../api/types.ts';
import { formatCount, formatDate, separators, typedAmount } from '../format.ts';
import { ownLabel, YES_NO } from '../labels.ts';
import { useAll } from '../session/queries.ts';
import { administers, corporateCompanies, isSuperAdmin, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { choicesOf } from './choices.ts';
import { type Column, plain } from './data-table.tsx';
import type { Typed } from './draft.ts';
import type { Fact } from './facts.tsx';
import { ChoiceFilter, PersonFilter } from './filters.tsx';
import { type FormField, typedOf, valueAt } from './form-fields.ts';
import { PersonLink } from './links.tsx';
import { useAddressState, useTyped } from './use-list-state.ts';

/** Fields of one's own of a kind of rows. */
export interface OwnFields {
  companyId: string;
  /** Those that the reader may read, in their order. */
  read: readonly OwnField[];
  /** Those that the reader may write. */
  written: readonly OwnField[];
}

/** @param companyId null: only the fields of the platform; undefined: none */
export function useOwnFields(entity: string, companyId: string | null | undefined): OwnFields {
  const caller = useProfile().data?.profile;
  const isStaff = caller !== undefined && isSuperAdmin(caller);
  const of = companyId ?? '';
  const mayList = isStaff || (caller !== undefined && corporateCompanies(caller).includes(of));
  const extended = EXTENDED_ENTITIES.find((name) => name === entity);
  const query = extended && companyId !== undefined && mayList ? { entity: extended } : undefined;
  const { data } = useAll('/api/fields/list', query && { ...query, ...(companyId && { companyId }) });
  const level: FieldLevel = isStaff || (caller && administers(caller, of)) ? 'ADMIN' : 'MANAGER';
  return useMemo(() => {
    const active = (data ?? []).filter((field) => field.active);
    const allowed = (who: 'readableBy' | 'writableBy') => active.filter((field) => isEnough(level, field[who]));
    return { companyId: of, read: allowed('readableBy'), written: allowed('writableBy') };
  }, [data, level, of]);
}

const nameOf = ({ key }: OwnField) => `fields.${key}` as const;

function valueIn(row: object, field: OwnField): unknown {
  return valueAt(row, nameOf(field)) ?? undefined;
}

const WHOLE = integer(-2_147_483_648);

function kindOf(field: OwnField, companyId: string): Partial<FormField> {
  switch (field.type) {
    case 'INTEGER':
      return { kind: 'whole', rule: WHOLE };
    case 'DECIMAL':
      return { kind: 'money', isPlain: true };
    case 'DATE':
      return { kind: 'date' };
    case 'BOOLEAN':
      // A box that nobody has touched says nothing.
      return field.required
        ? { choices: choicesOf(YES_NO, '–'), sentAs: 'boolean' }
        : { kind: 'checkbox', sentAs: 'boolean' };
    case 'CHOICE':
      return { choices: choicesOf(field.choices ?? [], '–') };
    case 'CHOICES':
      // Several are kept as one text, with blanks between.
      return {
        kind: 'choices',
        choices: (field.choices ?? []).map((label) => ({ value: encodeURIComponent(label), label })),
      };
    case 'PERSON':
      return { kind: 'person', companyId };
    default:
      return {};
  }
}

/** Returns the fields of a form, whose names `fields.KEY` are nested when they are sent. */
export function ownForm({ written, companyId }: OwnFields): FormField[] {
  return written.map((field) => ({
    name: nameOf(field),
    label: ownLabel(field),
    isRequired: field.required,
    isNullable: true,
    ...kindOf(field, companyId),
  }));
}

/** Returns the values of {@link ownForm} for a new row. */
export function ownDefaults(own: OwnFields): Typed {
  const fields = Object.fromEntries(own.written.map(({ key, default: preset }) => [key, preset]));
  return typedOf(ownForm(own), { fields });
}

/** Returns the text of a value as an import reads it. */
function fileText(value: unknown): string {
  return Array.isArray(value) ? value.join('; ') : String(value ?? '');
}

function shown(field: OwnField, value: unknown) {
  const text = fileText(value);
  if (text === '') return '';
  if (field.type === 'BOOLEAN') return value ? t('yes') : t('no');
  if (field.type === 'DATE') return formatDate(text);
  if (field.type === 'INTEGER') return formatCount(Number(text));
  if (field.type === 'DECIMAL') return typedAmount(text);
  if (field.type === 'PERSON') return <PersonLink id={text} />;
  if (field.type !== 'URL') return text;
  return (
    <Anchor href={text} target="_blank" rel="noreferrer" inherit>
      <bdi>{text}</bdi>
    </Anchor>
  );
}

/** Returns the columns of those that stand in lists. */
export function ownColumns<Row extends object>({ read }: OwnFields): Column<Row>[] {
  return read
    .filter(({ inList }) => inList)
    .map((field) => ({
      name: ownLabel(field),
      ...plain((row: Row) => fileText(valueIn(row, field))),
      show: (row: Row) => shown(field, valueIn(row, field)),
    }));
}

/** Returns the columns of all in a file, which an import reads by their names. */
export function ownFileColumns<Row extends object>({ read }: OwnFields): Column<Row>[] {
  return read.map((field) => ({ name: nameOf(field), text: (row) => fileText(valueIn(row, field)) }));
}

/** Returns the facts about a row; one without a value has none. */
export function ownFacts({ read }: OwnFields, row: object): Fact[] {
  const given = read.filter((field) => valueIn(row, field) !== undefined);
  return given.map((field) => [ownLabel(field), shown(field, valueIn(row, field))]);
}

/** Returns the filters by fields in lists, from the address, as the service takes them. */
export function useOwnFilters({ read }: OwnFields): Record<string, string> {
  const { value } = useAddressState();
  return Object.fromEntries(
    read.flatMap((field) => {
      const typed = field.inList ? value(nameOf(field)) : '';
      const sent = field.type === 'DECIMAL' ? (readAmount(typed, separators) ?? '') : typed;
      // What is half typed filters nothing yet.
      const isUnread = field.type === 'INTEGER' && !('value' in WHOLE.parse(sent));
      return sent === '' || isUnread ? [] : [[nameOf(field), sent]];
    }),
  );
}

/** The controls of {@link useOwnFilters}. */
export function OwnFilters({ own: { read, companyId } }: { own: OwnFields }) {
  return read
    .filter(({ inList }) => inList)
    .map((field) => <OwnFilter key={field.key} field={field} companyId={companyId} />);
}

function OwnFilter({ field, companyId }: { field: OwnField; companyId: string }) {
  const name = nameOf(field);
  const { typed, type } = useTyped(name);
  const label = ownLabel(field);
  if (field.type === 'PERSON') return <PersonFilter {...{ name, label, companyId }} />;
  if (field.choices || field.type === 'BOOLEAN')
    return <ChoiceFilter w="12rem" {...{ name, label, choices: field.choices ?? YES_NO }} />;
  return (
    <TextInput
      w="12rem"
      label={label}
      type={field.type === 'DATE' ? 'date' : 'text'}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      autoComplete="off"
    />
  );
}
