import { isDeepStrictEqual } from 'node:util';
import { findByExternalIds, findDefinitions, strangers, usualFields } from '../../../api/custom-fields.ts';
import { checkFieldValue, type Definition, readFieldValue } from '../../../api/field-values.ts';
import type { Reader } from '../../../db/database.ts';
import type { RawFields } from '../../../entities/check-fields.ts';
import { jsonText } from '../../../entities/formed-values.ts';
import { user } from '../../../entities/user.ts';
import type { Reading } from '../../../entities/values.ts';
import { type Attribute, attributeNamed, type Schema, text } from '../protocol/schema.ts';
import type { Directory } from '../scim-operation.ts';
import { INVALID, type UserChanges } from './user-changes.ts';
import { OWN_FIELDS, USER_SCHEMAS } from './user-schemas.ts';

/** Returns the schemas of a company's users, with its fields of one's own where it has any. */
export async function schemasOf(db: Reader, companyId: string): Promise<readonly Schema[]> {
  const definitions = await findDefinitions(db, user.name, [companyId]);
  const attributes = definitions.filter(({ active }) => active).map(attributeOf);
  if (attributes.length === 0) return USER_SCHEMAS;
  const description = 'Fields that the company, or the platform, has defined';
  return [...USER_SCHEMAS, { id: OWN_FIELDS, name: 'Fields', description, attributes }];
}

const TYPES: Readonly<Record<string, Attribute['type']>> = {
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  PERSON: 'reference',
  URL: 'reference',
};

function attributeOf(definition: Definition): Attribute {
  const { key, label, type, choices, required } = definition;
  const read = (sent: unknown): Reading<unknown> => {
    if (Array.isArray(sent) && sent.length === 0) return { value: null };
    const given = typeof sent === 'number' && type !== 'INTEGER' ? String(sent) : sent;
    return typeof given === 'string' ? readFieldValue(definition, given) : checkFieldValue(definition, given);
  };
  return {
    name: key,
    type: TYPES[type] ?? 'string',
    description: label,
    field: `fields.${key}`,
    read,
    ...(required && { required }),
    ...(type === 'URL' && { refersTo: 'external' }),
    ...(choices && { values: choices }),
    ...(choices && type === 'CHOICES' && { max: choices.length, sub: [text('value', '', { read })] }),
  };
}

/** Returns the directory with the fields of one's own among its schemas, where a request names one. */
export async function withOwnSchemas(db: Reader, directory: Directory, body: unknown): Promise<Directory> {
  const isNamed = JSON.stringify({ ...(body as object), schemas: [] })
    .toLowerCase()
    .includes(OWN_FIELDS);
  return isNamed ? { ...directory, schemas: await schemasOf(db, directory.companyId) } : directory;
}

/**
 * Puts the fields of one's own that a directory has changed into the patch of a person, with those that stay.
 *
 * @param stored JSON of a person who is there; undefined: a new one, who has the defaults
 */
export async function patchOwnFields(
  db: Reader,
  { companyId, schemas }: Directory,
  { own, patch, leftOut }: UserChanges,
  stored?: string | null,
): Promise<void> {
  const sent = Object.entries(own);
  if (sent.length === 0 && stored !== undefined) return;
  const attributes = schemas?.find(({ id }) => id === OWN_FIELDS)?.attributes ?? [];
  const ids = await findByExternalIds(db, companyId, Object.values(own));
  const given = sent.map(([key, value]) => {
    const { type, refersTo } = attributeNamed(attributes, key) ?? {};
    const isPerson = type === 'reference' && refersTo === undefined && value !== null;
    return { key, value: isPerson ? (ids.get(value) ?? value) : value, isPerson };
  });
  const present = stored === undefined ? await usualFields(db, user, companyId) : stored;
  const kept: RawFields = JSON.parse(present ?? '{}');
  // Whom a stored value names may be gone since.
  const people = given.flatMap(({ key, value, isPerson }) =>
    isPerson && value !== kept[key] ? [{ field: key, id: String(value) }] : [],
  );
  const unknown = new Set((await strangers(db, companyId, people)).map(({ field }) => field));
  const values: Record<string, unknown> = { ...kept };
  for (const { key, value } of given) {
    if (unknown.has(key)) leftOut[`fields.${key}`] = [INVALID];
    else if (value === null) delete values[key];
    else values[key] = value;
  }
  patch.fields = isDeepStrictEqual(values, kept) ? present : jsonText(values);
}
