import { uuid, type ValueKind } from './values.ts';

/** A field; its name is the same on the wire, in the import format and in the audit trail. */
export interface Field {
  /** Column name in SQL. */
  column: string;
  kind: ValueKind;
  /** Whether the value may be null. */
  nullable?: true;
  /** May be null on create; once set, the API cannot clear it (an import can). */
  staysSet?: true;
  /** Value of a new row that omits the field. */
  default?: string | number | boolean;
  /** The table's default, in SQL. An import keeps the value of a stored row. */
  sqlDefault?: string;
  /** Required in import files in spite of its default. */
  inFiles?: 'required';
  /** The entity whose id it holds. */
  references?: string;
  /** The table of other rows, to one of which it may refer instead. */
  orIn?: string;
  /** Import column that names the referenced row by the last field of its natural key instead of the id. */
  namedBy?: string;
  /** Fields of the referenced row, of which {@link namedBy} holds one; absent: the last field of its natural key. */
  namedByOneOf?: readonly string[];
  /** The entity of whose rows of the same company it holds ids, separated by spaces. */
  lists?: string;
  /** Where triggers keep the values of its list, one a row: the table, and its columns with the id of the row and with a value. */
  rows?: { table: string; of: string; value: string };
  /** The referenced row must belong to the same company. */
  ofSameCompany?: true;
  /** Refers to the row above, of the same entity: rows form no circle, and have at most this many levels. */
  hierarchy?: { levels: number };
  /** The reference stays when the referenced row is deleted. */
  outlivesTarget?: true;
  /** The field without which the amount is not negative. */
  negativeWith?: string;
  /** personal: the audit trail stores its values separately, so that they can be erased. none: it stores no values (secrets). */
  retention?: 'personal' | 'none';
  /** Its value is an object: the trail has its keys as fields of their own, but for the values of sensitive ones. */
  keyed?: true;
  /** Read by the person, their administrators and API keys alone: others who may see the person get null. */
  private?: true;
  /** The table derives folded columns from it for search and sorting; an update that omits it leaves them unchanged. */
  folded?: true;
  /**
   * Of what a directory or an HR file sends, a value that cannot be read is left out and reported: it describes the person, and keeps nobody
   * out. Without it such a value is refused.
   */
  describes?: true;
  /** For the OpenAPI document. */
  description?: string;
  example?: string | number | boolean | null;
}

/** A field as it is declared. Its column has its name in snake case, unless it has another one. */
type FieldDraft = Omit<Field, 'column'> & Partial<Pick<Field, 'column'>>;

/** Returns the fields with the names of their columns. */
export function withColumns<const Drafts extends Readonly<Record<string, FieldDraft>>>(
  drafts: Drafts,
): { readonly [Name in keyof Drafts]: Drafts[Name] & { readonly column: string } } {
  const fields = Object.entries(drafts).map(([name, draft]) => {
    return [name, { column: name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`), ...draft }];
  });
  return Object.fromEntries(fields);
}

/** Fields with a first and a last day; `of`: the reference that needs both days, and never is to the row itself. */
export type Period = Readonly<Record<'from' | 'until', string>> & { readonly of?: string };

/** Fields whose values together identify a row. */
export interface Key {
  fields: readonly string[];
  /** Whether `A` and `a` count as one. */
  ignoresCase?: true;
}

/** Fields whose values together are unique in a table. */
export interface UniqueKey extends Key {
  /** Name of its constraint. */
  constraint: string;
  /** What to do where another row has the value. */
  hint?: string;
}

/** Description of one kind of row; checks, writes and documentation are derived from it. */
export interface AuditedEntity {
  /** Name in the audit trail. */
  name: string;
  /** Singular name in messages. */
  noun: string;
  table: string;
  /** Field of the primary key. */
  id: string;
  /** Unique keys apart from the id. */
  unique: readonly UniqueKey[];
  /** Fields of which the first that is set is the name of a row in the audit trail; absent: its `name`, if it has one. */
  title?: readonly string[];
  /** Fields that tell one row from the others in a file of configuration; absent: a unique key, or else what names a row. */
  knownBy?: readonly string[];
  /** Rank among the entities of one request in the history: the lowest explains the others; absent: the last. */
  rank?: number;
  /** Rows without a company are the platform's: everybody who sees those of a company reads them, and rows of every company refer to them. */
  ofPlatform?: true;
  /** Rows never leave the service by an export, the change feed or a webhook. Such an entity has no `file`. */
  staysInside?: true;
  /**
   * The columns that the database role of the service may update; absent: those of all fields but the id, the company and the whole.
   * `keeps`: it may not remove rows.
   */
  rights?: { update?: readonly string[]; keeps?: true };
  /** Fields that keep the value with which a row is added. */
  fixed?: readonly string[];
  periods?: readonly Period[];
  /** Whether rows have `updated_at`, which a change updates. */
  hasTimestamps?: true;
  /** Fields that hold the user id and the company id. Omit to keep the entity out of the audit trail. */
  auditSubject?: { user?: string; company?: string };
  /** The entity of which rows are parts, by the field with its id: they are of its company, and shown with it. */
  partOf?: { field: string; entity: AuditedEntity };
  fields: Readonly<Record<string, Field>>;
}

/** An entity that can be imported and exported. */
export interface Entity extends AuditedEntity {
  /** File name in the import format; the fields are its columns, in order. */
  file: string;
  /**
   * Identifies an imported row that has no id. A `namedBy` reference takes the other key fields from the fields of the same names in its
   * own row.
   */
  naturalKey?: UniqueKey;
  /** Import column that is not a field: `false` deletes the row. */
  deleteFlag?: string;
}

export type FieldName<E extends AuditedEntity> = keyof E['fields'] & string;

type ValueOf<F extends Field> =
  | (F['kind'] extends ValueKind<infer Value> ? Value : never)
  | (F extends { nullable: true } ? null : never);

/** A row, or some of its fields, with the names and formats of the API. */
export type RowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = {
  [Field in Name]: ValueOf<E['fields'][Field]>;
};

type OptionalName<E extends AuditedEntity, Name extends FieldName<E>> = {
  [Field in Name]: E['fields'][Field] extends { nullable: true } | { sqlDefault: string } ? Field : never;
}[Name];

/** A new row. An omitted or null field gets the default of the table, or is null. */
export type NewRowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = RowOf<
  E,
  Exclude<Name, OptionalName<E, Name>>
> & { [Field in OptionalName<E, Name>]?: ValueOf<E['fields'][Field]> | null };

/** Returns the names of all other fields, in the entity's order. */
export function fieldsBut<E extends AuditedEntity, Left extends FieldName<E>>(
  entity: E,
  ...left: readonly Left[]
): Exclude<FieldName<E>, Left>[] {
  const isKept = (name: string): name is Exclude<FieldName<E>, Left> => !left.some((other) => other === name);
  return Object.keys(entity.fields).filter(isKept);
}

/** Returns a field by its name. @throws TypeError if there is none */
export function fieldOf({ name, fields }: AuditedEntity, field: string): Field {
  const found = fields[field];
  if (found === undefined) throw new TypeError(`${name} has no field ${field}`);
  return found;
}

/** A field with the id of a row of another entity, or null. */
export function referenceTo<const Target extends string, const Example extends string | null = null>(
  references: Target,
  description: string,
  example = null as Example,
) {
  return { kind: uuid, nullable: true, references, description, example } as const;
}

/** A field with the id of a row of the same company, or null. */
export function referenceWithinCompany<const Target extends string, const Example extends string | null = null>(
  references: Target,
  description: string,
  example = null as Example,
) {
  return { ...referenceTo(references, description, example), ofSameCompany: true } as const;
}
