import type { Sql } from 'sql-template-tag';
import type { ScimUserRow } from './user-row.ts';

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ORGDESK_USER = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';

/** A value of a list, by the names of its sub-attributes. */
export type Item = Readonly<Record<string, string | boolean>>;

/** How filters compare an attribute of people. */
export interface Search {
  /** In SQL, of `users` with `scim_users` joined. */
  column: Sql;
  nullable?: true;
  /** Makes texts comparable. Absent: as `caseExact` says. */
  fold?: (value: Sql) => Sql;
  /** Selects the ids of those who have a value, and perhaps of others, by an index. */
  idsOf?: (value: string, companyId: string) => Sql;
}

/** An attribute of a resource (RFC 7643, section 7), and what orgdesk has of it. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'integer' | 'dateTime' | 'reference';
  description: string;
  /** It is a list, of at most so many values. */
  max?: number;
  required?: true;
  caseExact?: true;
  /** Writes of it are ignored where it has an `answer`, and refused otherwise. */
  readOnly?: true;
  unique?: true;
  values?: readonly string[];
  sub?: readonly Attribute[];
  /** Known by the standard: it may be written, and is not kept. */
  ignored?: true;
  /** Says which value of a list is kept, and is not kept itself; `answered` where answers have it. */
  selector?: 'answered' | 'hidden';
  /** What a selector is in each value that is kept, though no answer has it. */
  implied?: true;
  /** Always has a value: nobody removes it. */
  permanent?: true;
  /** The field that keeps it, by its name in a {@link ScimUserRow}. */
  field?: keyof ScimUserRow;
  /** What is answered. Absent: the field. */
  answer?: (row: ScimUserRow) => unknown;
  /** Of the values of a list the one whose fields are kept. Absent: all are. */
  choose?: (items: readonly Item[]) => Item | undefined;
  /** The form in which a text is compared and kept. */
  normalize?: (text: string) => string;
  search?: Search;
}

/** The attributes of a resource, or of an extension of one. */
export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

type More = Omit<Partial<Attribute>, 'name' | 'description'>;

/** Declares a text. */
export function text(name: string, description: string, more: More = {}): Attribute {
  return { name, type: 'string', description, ...more };
}

/** Declares an attribute with sub-attributes. */
export function complex(name: string, description: string, sub: readonly Attribute[], more: More = {}): Attribute {
  return { name, type: 'complex', description, sub, ...more };
}

/** Declares attributes of the standard that are not kept. */
export function ignored(...names: readonly string[]): Attribute[] {
  return names.map((name) => text(name, '', { ignored: true }));
}

/** Declares the sub-attribute `primary` of a list. */
export function primary(selector: 'answered' | 'hidden'): Attribute {
  return { name: 'primary', type: 'boolean', description: 'Whether it is preferred', selector, implied: true };
}
