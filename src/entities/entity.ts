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
  /** May be null on create; once set, the API cannot clear it (an import can). */
  staysSet?: true;
  /** The value of a new row that is sent without one. */
  default?: string | number | boolean;
  /** The default of the table, in SQL. An import keeps the value of a stored row. */
  sqlDefault?: string;
  /** Required in files of an import in spite of its default. */
  inFiles?: 'required';
  /** The entity whose id this is. */
  references?: EntityName;
  /** Column of its file that names the referenced row by the last field of its natural key instead of the id. */
  namedBy?: string;
  /** The referenced row must belong to the same company. */
  ofSameCompany?: true;
  /** personal: the audit trail stores its values apart, so that they can be erased. none: it stores nothing, as of a secret. */
  retention?: 'personal' | 'none';
  /** The table derives folded columns from it for search and order; an update without it does not touch these. */
  folded?: true;
  /** For the OpenAPI document. */
  description?: string;
  example?: string | number | boolean | null;
}

/** Fields whose values together identify a row. */
export interface Key {
  fields: readonly string[];
  /** Whether `A` and `a` count as one. */
  ignoresCase?: true;
}

/** Fields whose values together are unique in a table. */
export interface UniqueKey extends Key {
  /** The name of its constraint or index. */
  constraint: string;
  /** A value of the last field, in SQL for a row `t`, that frees the row's own for another while two rows swap theirs. */
  placeholder?: string;
}

/** Description of one kind of row, from which checks, writes and documentation are derived. */
export interface AuditedEntity {
  name: EntityName | (typeof AUDITED_ENTITIES)[number];
  /** Name of one row in messages. */
  noun: string;
  table: string;
  /** The field that is the primary key. */
  id: string;
  /** Unique keys beside the id. */
  unique: readonly UniqueKey[];
  /** Whether rows have `created_at` and `updated_at`, which a change moves. */
  hasTimestamps?: true;
  /** Fields that hold the user id and the company id (the latter may refer to a row that has one). Omit to keep the entity out of the audit trail. */
  auditSubject?: { user?: string; company?: string };
  fields: Readonly<Record<string, Field>>;
}

/** An entity that is imported and exported. */
export interface Entity extends AuditedEntity {
  name: EntityName;
  /** Of the import format, where its fields are the columns, in their order. */
  file: string;
  /**
   * By which an import knows a row that comes without its id. A reference that is told by its last field has the others by the same names in
   * its own row.
   */
  naturalKey?: UniqueKey;
  /** Column of its file that is no field: `false` deletes the row. */
  deleteFlag?: string;
}

export type FieldName<E extends AuditedEntity> = keyof E['fields'] & string;

type ValueOf<F extends Field> =
  | (F['kind'] extends ValueKind<infer Value> ? Value : never)
  | (F extends { nullable: true } ? null : never);

/** A row, or some of its fields, as the API names and writes them. */
export type RowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = {
  [Field in Name]: ValueOf<E['fields'][Field]>;
};

/** A new row: null stands for the default of the table. */
export type NewRowOf<E extends AuditedEntity, Name extends FieldName<E> = FieldName<E>> = {
  [Field in Name]: ValueOf<E['fields'][Field]> | (E['fields'][Field] extends { sqlDefault: string } ? null : never);
};

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
