import type { Sql } from 'sql-template-tag';
import type { ScimUserRow } from './user-row.ts';

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ORGDESK_USER = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';

/** An item of a multi-valued attribute, by the names of its sub-attributes. */
export type Item = Readonly<Record<string, string | boolean>>;

/** How filters search an attribute of people. */
export interface Search {
  /** SQL expression over `users` joined with `scim_users`. */
  column: Sql;
  nullable?: true;
  /** Normalises a text for comparison. Absent: `caseExact` decides. */
  fold?: (value: Sql) => Sql;
  /** Selects candidate ids by an index: a superset of those with the value. */
  idsOf?: (value: string, companyId: string) => Sql;
}

/** An attribute of a resource (RFC 7643, section 7), and how orgdesk stores it. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'integer' | 'dateTime' | 'reference';
  description: string;
  /** Maximum of items; present for multi-valued attributes only. */
  max?: number;
  required?: true;
  caseExact?: true;
  /** Writes are ignored if the attribute has an `answer`, and refused otherwise. */
  readOnly?: true;
  unique?: true;
  values?: readonly string[];
  sub?: readonly Attribute[];
  /** Attribute of the standard that is accepted but not stored. */
  ignored?: true;
  /** Selects the item of a list that is stored, but is not stored itself; `answered` if responses contain it. */
  selector?: 'answered' | 'hidden';
  /** The selector counts as true for stored items that lack it. */
  implied?: true;
  /** Always has a value and cannot be removed. */
  permanent?: true;
  /** Field of {@link ScimUserRow} that stores it. */
  field?: keyof ScimUserRow;
  /** Returns the value in responses. Absent: the field. */
  answer?: (row: ScimUserRow) => unknown;
  /** Chooses the item of a list that is stored. Absent: all are. */
  choose?: (items: readonly Item[]) => Item | undefined;
  /** Normalises a text for comparison and storage. */
  normalize?: (text: string) => string;
  search?: Search;
}

/** Schema of a resource or of an extension. */
export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

type More = Omit<Partial<Attribute>, 'name' | 'description'>;

/** Declares a string attribute. */
export function text(name: string, description: string, more: More = {}): Attribute {
  return { name, type: 'string', description, ...more };
}

/** Declares an attribute with sub-attributes. */
export function complex(name: string, description: string, sub: readonly Attribute[], more: More = {}): Attribute {
  return { name, type: 'complex', description, sub, ...more };
}

/** Declares attributes of the standard that are not stored. */
export function ignored(...names: readonly string[]): Attribute[] {
  return names.map((name) => text(name, '', { ignored: true }));
}

/** Declares the sub-attribute `primary` of a list. */
export function primary(selector: 'answered' | 'hidden'): Attribute {
  return { name: 'primary', type: 'boolean', description: 'Whether it is preferred', selector, implied: true };
}
