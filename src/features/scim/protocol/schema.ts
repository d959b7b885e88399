import type { Sql } from 'sql-template-tag';
import type { Reading } from '../../../entities/values.ts';

/** An item of a multi-valued attribute, by the names of its sub-attributes. */
export type Item = Readonly<Record<string, string | boolean>>;

/** How filters search an attribute. */
export interface Search {
  /** SQL expression over the tables of the resource. */
  column: Sql;
  nullable?: true;
  /** Normalises a text for comparison. Absent: `caseExact` decides. */
  fold?: (value: Sql) => Sql;
  /** Selects candidate ids by an index: a superset of those with the value. */
  idsOf?: (value: string, companyId: string) => Sql;
}

/** An attribute of a resource (RFC 7643, section 7), and how its value is stored. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'integer' | 'dateTime' | 'reference';
  /** Resource type that a reference refers to; User by default. */
  refersTo?: string;
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
  /** Attribute of every resource, which no schema lists (RFC 7643, section 3.1). */
  common?: true;
  /** Attribute of the standard that is accepted but not stored. */
  ignored?: true;
  /** Selects the item of a list that is stored, but is not stored itself; `answered` if responses contain it. */
  selector?: 'answered' | 'hidden';
  /** The selector counts as true for stored items that lack it. */
  implied?: true;
  /** Always has a value and cannot be removed. */
  permanent?: true;
  /** Without a value it is an empty text; an empty one is written, and it cannot be removed. */
  mayBeEmpty?: true;
  /** An empty value is one, and stands for a default. */
  hasDefault?: true;
  /** Field of the row that stores it. */
  field?: string;
  /** Returns the value in responses, from the row of the resource. Absent: the field. */
  answer?: (row: never) => unknown;
  /** Chooses the item of a list that is stored. Absent: all are. */
  choose?: (items: readonly Item[]) => Item | undefined;
  /** Reads whatever is sent, which is no error where it does not fit: it is left out. */
  read?: (sent: unknown) => Reading<unknown>;
  /** Normalises a text for comparison and storage. */
  normalize?: (text: string) => string;
  search?: Search;
}

/** Schema of a resource or of an extension. */
export interface Schema {
  id: string;
  /** Former ids, under which clients still send it. */
  formerIds?: readonly string[];
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

/** Declares the attributes of all resources (RFC 7643, section 3.1), each with how it is searched. */
export function commonAttributes(
  search: Partial<Record<'id' | 'externalId' | 'created' | 'lastModified', Search>>,
): Attribute[] {
  const searched = (found: Search | undefined) => (found === undefined ? {} : { search: found });
  const time = (name: 'created' | 'lastModified'): Attribute => ({
    name,
    type: 'dateTime',
    description: '',
    ...searched(search[name]),
  });
  return [
    text('schemas', '', { common: true, ignored: true }),
    text('id', '', { common: true, readOnly: true, caseExact: true, ...searched(search.id) }),
    text('externalId', '', { common: true, caseExact: true, field: 'externalId', ...searched(search.externalId) }),
    complex('meta', '', [time('created'), time('lastModified')], { common: true, readOnly: true }),
  ];
}

/** Attributes by their names in lower case. */
const indexes = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** Returns the attribute with that name, case-insensitively. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  let index = indexes.get(attributes);
  if (index === undefined) {
    index = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    indexes.set(attributes, index);
  }
  return index.get(name.toLowerCase());
}
