import type { FastifyRequest } from 'fastify';
import sql from 'sql-template-tag';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { findDefinitions, levelOf } from '../../api/custom-fields.ts';
import { type Definition, schemaOfField } from '../../api/field-values.ts';
import { activeUser, anyone, companyScopeOf, type PublicAccess, requireCompany } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import type { Reader } from '../../db/database.ts';
import { apiErrors, problemOf } from '../../entities/api-error.ts';
import { isCanonicalUuid } from '../../entities/characters.ts';
import { EXTENDED_ENTITIES, type ExtendedEntity } from '../../entities/field-definition.ts';
import { isEnough } from '../../entities/formed-values.ts';
import { ROLES } from '../../entities/roles.ts';
import type { Document } from './document-part.ts';

type Json = Readonly<Record<string, unknown>>;

const known = activeUser(findCallers);
const inCompany = { ...known, roles: ROLES };

/** Anyone reads the documents; who says who they are reads those of a company. */
export const CONTRACT = {
  id: 'documentation',
  access: { ...anyone, known } satisfies PublicAccess,
  scope: 'any',
} as const;

/** Fields of one's own of a company, by entity. */
type FieldsOf = Readonly<Partial<Record<ExtendedEntity, readonly Definition[]>>>;

/**
 * Returns the fields of one's own that the caller may read: of the company that is asked for, else of their own.
 *
 * @throws ApiError `INVALID_INPUT`, `COMPANY_FORBIDDEN`
 */
export async function fieldsOfCaller(db: Reader, { caller, query }: FastifyRequest): Promise<FieldsOf | undefined> {
  if (caller === null) return undefined;
  const { companyId: asked } = query as { companyId?: unknown };
  if (asked !== undefined && !(typeof asked === 'string' && isCanonicalUuid(asked))) {
    throw apiErrors.invalidInput([problemOf('companyId', 'INVALID_FORMAT', 'must be a UUID')]);
  }
  const home = 'keyId' in caller ? caller.companyId : await homeOf(db, caller.userId);
  const companyId = asked?.toLowerCase() ?? home;
  if (companyId !== null && companyId !== home) {
    const scope = companyScopeOf(inCompany, caller);
    requireCompany(inCompany, caller, scope, companyId);
    await assertCompanyVisible(db, scope, companyId);
  }
  const isOwn =
    'userId' in caller &&
    !caller.systemRole?.active &&
    !caller.companyRoles.some((held) => held.companyId === companyId && held.role !== 'EMPLOYEE');
  const level = levelOf(caller, companyId ?? '', isOwn);
  const found = await Promise.all(
    EXTENDED_ENTITIES.map(async (entity) => {
      const definitions = await findDefinitions(db, entity, companyId === null ? [] : [companyId]);
      return [entity, definitions.filter((each) => each.active && isEnough(level, each.readableBy))] as const;
    }),
  );
  return Object.fromEntries(found);
}

async function homeOf(db: Reader, userId: string): Promise<string | null> {
  const [found] = await db.query<{ companyId: string }>(
    sql`select company_id as "companyId" from users where id = ${userId}::uuid`,
  );
  return found?.companyId ?? null;
}

/** Whose fields a component has, by its name. */
const OWNERS: readonly (readonly [name: RegExp, entity: ExtendedEntity])[] = [
  [/Company/, 'company'],
  [/User|Person|Profile/, 'user'],
  [/Department/, 'department'],
  [/Band/, 'band'],
  [/Policy/, 'approvalPolicy'],
  [/Booking/, 'booking'],
];

/** Returns a document whose components name the fields of one's own of a company. */
export function withOwnFields(document: Document, fields: FieldsOf): Document {
  const { schemas = {}, ...others } = document.components ?? {};
  const named = Object.entries(schemas).map(([name, schema]) => {
    const entity = OWNERS.find(([pattern]) => pattern.test(name))?.[1];
    const definitions = (entity && fields[entity]) ?? [];
    return [name, definitions.length === 0 ? schema : naming(schema, definitions)];
  });
  return { ...document, components: { ...others, schemas: Object.fromEntries(named) } };
}

/** Replaces the schemas of `fields` in a schema, and in those within it. */
function naming(schema: unknown, definitions: readonly Definition[]): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const { properties, items, ...others } = schema as { properties?: Record<string, Json>; items?: Json };
  const named = Object.entries(properties ?? {}).map(([name, each]) => {
    const isOwn = name === 'fields' && each.additionalProperties === true;
    return [name, isOwn ? ownSchema(each, definitions) : naming(each, definitions)];
  });
  return {
    ...others,
    ...(properties && { properties: Object.fromEntries(named) }),
    ...(items && { items: naming(items, definitions) }),
  };
}

function ownSchema({ examples: _, ...given }: Json, definitions: readonly Definition[]): Json {
  const isSent = given.description !== undefined && String(given.description).startsWith('Values');
  const properties = definitions.map((definition) => {
    const { type, enum: choices, ...rule } = schemaOfField(definition) as { type: string; enum?: readonly unknown[] };
    const empties = isSent
      ? { type: [type, 'null'], ...(choices && { enum: [...choices, null] }) }
      : { type, ...(choices && { enum: choices }) };
    return [definition.key, { title: definition.label, ...rule, ...empties }];
  });
  return { ...given, properties: Object.fromEntries(properties), ...(isSent && { additionalProperties: false }) };
}
