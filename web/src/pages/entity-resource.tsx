import { Badge } from '@mantine/core';
import { ENTITIES } from '../../../src/entities/entities.ts';
import type { Entity, Field } from '../../../src/entities/entity.ts';
import { withoutSigns } from '../../../src/entities/gstin.ts';
import { MAX_REGISTRATIONS } from '../../../src/entities/legal-entity.ts';
import { money } from '../../../src/entities/values.ts';
import type { Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { fieldLabel, titleOf, wordsOf, YES_NO } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { amounts, type Column, plain } from '../parts/data-table.tsx';
import type { Typed } from '../parts/draft.ts';
import { entityFields, type FormField } from '../parts/form-fields.ts';
import { PersonLink } from '../parts/links.tsx';
import { Nothing } from '../parts/states.tsx';
import { ruleName } from '../roles.ts';
import { useBands, useDepartments } from '../session/queries.ts';
import { t } from '../translate.ts';
import { type CompanyResource, type ResourceKind, ResourcePage } from './company-resource.tsx';
import { DESCRIBED, pathOfEntity } from './entity-pages.ts';

type Item = CompanyResource & Readonly<Record<string, unknown>>;

/** Returns the list, form and actions of an entity, as they follow from its fields. */
function kindOfEntity(entity: Entity): ResourceKind<Item> {
  const shown = Object.entries(entity.fields).filter(
    ([name, { retention }]) => name !== entity.id && name !== 'companyId' && retention !== 'none',
  );
  const path = pathOfEntity(entity);
  const fields = entityFields(
    entity,
    shown.map(([name]) => name),
  );
  const parts = (ENTITIES as readonly Entity[]).filter(({ partOf }) => partOf?.entity.name === entity.name).map(rowsOf);
  return {
    ...{ entity: entity.name, title: titleOf(entity.name, path), list: path },
    lead: (company) => t('Of {company}.', { company }),
    nameOf: (item) => String(item[entity.title?.[0] ?? 'name'] ?? item.code ?? item.id),
    useColumns: (companyId) => {
      const names = useNames(companyId ?? '');
      return [...shown.map(([name, field]) => columnOf(name, field, names)), ...parts.map(columnOfRows)];
    },
    useFields: (companyId, item) => {
      const names = useNames(companyId);
      const own = fields
        .filter(({ name }) => !item || !entity.fixed?.includes(name))
        .map((field) => withChoices(field, entity.fields[field.name], companyId, names));
      return [...own, ...parts];
    },
    add: t('Add: {label}', { label: wordsOf(entity.name).label }),
    removeText:
      entity.name === 'field'
        ? t(
            'An active field becomes inactive, and its values are kept for 30 days. An inactive one is deleted with them.',
          )
        : t('It is deleted for good.'),
  };
}

/** Returns the field of the parts of an object: `taxRegistrations`, of entities that are part of its entity. */
function rowsOf(part: Entity): FormField & Required<Pick<FormField, 'rows'>> {
  const path = pathOfEntity(part);
  const names = Object.keys(part.fields).filter((name) => name !== part.id && name !== part.partOf?.field);
  const fields = entityFields(part, names).map((field): FormField => {
    if (field.name === 'default') return { name: field.name, label: field.label, kind: 'checkbox', sentAs: 'boolean' };
    // A GSTIN has the state of its code.
    if (field.name === 'stateId')
      return { ...field, kind: 'state', sentAs: 'number', isShown: ({ type }) => type !== 'GSTIN' };
    return withChoices(field, part.fields[field.name], '', {});
  });
  const set = (rows: readonly Typed[], at: number, name: string, text: string) =>
    rows.map((row, index): Typed => {
      // One row alone is the default.
      if (index !== at) return name === 'default' && text === 'true' ? { ...row, default: 'false' } : row;
      // The states are those of the country.
      if (name === 'countryCode') return { ...row, stateId: '', countryCode: text };
      return { ...row, [name]: name === 'number' ? withoutSigns(text) : text };
    });
  const nameOf = (row: Readonly<Record<string, unknown>>) => [row.type, row.number].filter(Boolean).join(' ');
  return {
    ...{ name: path.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()), label: titleOf(part.name, path) },
    ...{ kind: 'rows', rows: { fields, label: wordsOf(part.name).label, most: MAX_REGISTRATIONS, nameOf, set } },
  };
}

function columnOfRows({ name, label, rows }: ReturnType<typeof rowsOf>): Column<Item> {
  const rowsIn = (item: Item) => (item[name] ?? []) as (Item & { default: boolean })[];
  const show = (item: Item) =>
    rowsIn(item).map((row, _, all) => (
      <div key={row.id}>
        {rows.nameOf(row)} {row.default && all.length > 1 && <Badge color="gray">{t('Default')}</Badge>}
      </div>
    ));
  return { name: label, show, text: (item) => rowsIn(item).map(rows.nameOf).join(', ') };
}

type Names = Readonly<Partial<Record<string, readonly { id: string; name: string }[]>>>;

/** Returns the company's objects that others refer to, by entity. */
function useNames(companyId: string): Names {
  return { department: useDepartments(companyId) ?? [], band: useBands(companyId) ?? [] };
}

function columnOf(name: string, { kind, references, lists }: Field, names: Names): Column<Item> {
  const label = fieldLabel(name);
  const textOf = ({ [name]: value }: Item) =>
    Array.isArray(value) && !lists
      ? value.map(ruleName).join(', ')
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : String(value ?? '');
  if (kind === money) return amounts(label, (item) => textOf(item) || null);
  if (lists) return { name: label, isFigure: true, ...plain((item) => formatCount((item[name] as string[]).length)) };
  if (references === 'user') {
    const show = (item: Item) => (item[name] ? <PersonLink id={textOf(item)} /> : '');
    return { name: label, show, text: textOf };
  }
  const nameOf = (item: Item) => names[references ?? '']?.find(({ id }) => id === item[name])?.name ?? textOf(item);
  if (kind.schema.type !== 'boolean') return { name: label, ...plain(nameOf) };
  return { name: label, ...plain((item) => YES_NO[`${Boolean(item[name])}`]) };
}

function withChoices(field: FormField, described: Field | undefined, companyId: string, names: Names): FormField {
  if (described?.references === 'user') return { ...field, kind: 'person', companyId };
  if (described?.lists === 'user') return { ...field, kind: 'people', companyId };
  const { [described?.references ?? '']: named } = names;
  if (named) return { ...field, choices: choicesOf(named, field.isRequired ? undefined : '–') };
  if (described?.kind.sqlType === 'jsonb') return { ...field, sentAs: 'json', hint: t('As JSON') };
  const items = (described?.kind.schema.items as { enum?: readonly string[] } | undefined)?.enum;
  if (items) return { ...field, kind: 'choices', choices: items.map((value) => ({ value, label: ruleName(value) })) };
  return field;
}

/** The page of the objects of an entity, as its description says. @param path see {@link pathOfEntity} */
export function EntityPage({ path, profile }: { path: string | undefined; profile: Person }) {
  const entity = DESCRIBED.find((one) => pathOfEntity(one) === path);
  if (!entity) return <Nothing title={t('Page not found')} />;
  return <ResourcePage key={path} kind={kindOfEntity(entity)} profile={profile} />;
}
