import type { ValueKind } from './values.ts';

/** What the service keeps of companies and people, by the names that the audit trail has for it. */
const ORGANISATION = [
  'company',
  'department',
  'band',
  'user',
  'companyRole',
  'systemRole',
  'approvalPolicy',
  'approvalPolicyLevel',
] as const;
/** All that is in the audit trail: bookings are not. */
export const AUDITED_ENTITIES = [...ORGANISATION, 'apiKey', 'webhook'] as const;
export type EntityName = (typeof ORGANISATION)[number] | 'booking';

/** A field, by the name that it has on the wire, in the import format and in the audit trail. */
export interface Field {
  /** As SQL writes it. */
  column: string;
  kind: ValueKind;
  /** Whether a row may have no value: null. */
  nullable?: true;
  /** Null stands for what was never said: a person is made so, and nobody but an import takes a value away again. */
  staysSet?: true;
  /** What a new row has where nothing is said. */
  default?: string | number | boolean;
  /** The same, in SQL: what the table gives a new row. A stored row keeps its own. */
  sqlDefault?: string;
  /** An import has to say it all the same. */
  inFiles?: 'required';
  /** Whose row this is the id of. */
  references?: EntityName;
  /** A column of its file that tells the row referred to by the last field of that one's natural key, in the place of the id. */
  namedBy?: string;
  /** The row referred to belongs to the same company as this one. */
  ofSameCompany?: true;
  /** personal: the audit trail keeps its values apart, so that they can be erased. none: it knows nothing of it, as of a secret. */
  retention?: 'personal' | 'none';
  /** Its table computes columns from it, folded for searches and orders: an update that leaves it alone leaves these alone. */
  folded?: true;
  /** For the API's documentation. */
  description?: string;
  example?: string | number | boolean | null;
}

/** Fields whose values together say which row is meant. */
export interface Key {
  fields: readonly string[];
  /** Whether `A` and `a` count as one. */
  ignoresCase?: true;
}

/** Fields whose values together stand once in a table; letters of either case count as one where its index says so. */
export interface UniqueKey extends Key {
  /** The name of its constraint or index. */
  constraint: string;
  /** A value of the last field, in SQL for a row `t`, that frees the row's own for another while two rows swap theirs. */
  placeholder?: string;
}

/** All there is to know of one kind of row, for whoever checks, writes or documents it. */
export interface AuditedEntity {
  name: EntityName | (typeof AUDITED_ENTITIES)[number];
  /** What one row is, for people. */
  noun: string;
  table: string;
  /** The field by which rows are known: the primary key. */
  id: string;
  /** Beside the id. */
  unique: readonly UniqueKey[];
  /** Whether rows have `created_at` and `updated_at`, which a change moves. */
  hasTimestamps?: true;
  /** Whom a row concerns: the fields that hold the ids, or that of a row which concerns the company. Absent: the audit trail has nothing of such rows. */
  auditSubject?: { user?: string; company?: string };
  fields: Readonly<Record<string, Field>>;
}

/** One that is imported and exported too. */
export interface Entity extends AuditedEntity {
  name: EntityName;
  /** Of the import format, where its fields are the columns, in their order. */
  file: string;
  /**
   * By which an import knows a row that comes without its id. A reference that is told by its last field has the others by the same names in
   * its own row.
   */
  naturalKey?: UniqueKey;
  /** A column of its file that is no field: false takes the row away. */
  deleteFlag?: string;
}

export type FieldName<E extends AuditedEntity> = keyof E['fields'] & string;

type ValueOf<F extends Field> =
  | (F['kind'] extends ValueKind<infer Value> ? Value : never)
  | (F extends { nullable: true } ? null : never);

/** A row, or some fields of one, as the API calls and writes them. */
export type RowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = {
  [Field in Name]: ValueOf<E['fields'][Field]>;
};

/** The same of a new row: null stands for what the table gives it. */
export type NewRowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = {
  [Field in Name]: ValueOf<E['fields'][Field]> | (E['fields'][Field] extends { sqlDefault: string } ? null : never);
};

/** Returns the names of the fields but for these, in the entity's order. */
export function fieldsBut<E extends AuditedEntity, Left extends FieldName<E>>(
  entity: E,
  ...left: readonly Left[]
): Exclude<FieldName<E>, Left>[] {
  const isKept = (name: string): name is Exclude<FieldName<E>, Left> => !left.some((other) => other === name);
  return Object.keys(entity.fields).filter(isKept);
}

/** The field of that name. */
export function fieldOf({ name, fields }: AuditedEntity, field: string): Field {
  const found = fields[field];
  if (found === undefined) throw new TypeError(`${name} has no field ${field}`);
  return found;
}
