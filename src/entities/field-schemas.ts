import {
  type TNumberOptions,
  type TObject,
  type TProperties,
  type TSchemaOptions,
  type TStringOptions,
  type TUnsafe,
  Type,
} from 'typebox';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type RowOf } from './entity.ts';
import { NOT_BLANK } from './values.ts';

type FieldSchemas<E extends AuditedEntity, Name extends FieldName<E>> = { [Field in Name]: TUnsafe<RowOf<E>[Field]> };

/** Returns the response schemas of some fields, in this order. */
export function answeredFields<E extends AuditedEntity, const Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
): FieldSchemas<E, Name> {
  return schemasOf(entity, names, ({ kind, nullable, description }) => ({
    ...(nullable ? orNull(kind.schema) : kind.schema),
    ...(description === undefined ? {} : { description }),
  }));
}

/** Returns the request schemas of some fields in an update. Descriptions state the rule too, as values are trimmed before the check. */
export function givenFields<E extends AuditedEntity, const Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
): FieldSchemas<E, Name> {
  return schemasOf(entity, names, (field) => givenSchema(field, field.nullable === true && !field.staysSet));
}

/** Returns the request schemas of the fields of a new row; those with a default or nullable are optional. */
export function newRowFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
): TObject['properties'] {
  const whole = schemasOf(entity, names, (field) => givenSchema(field, field.nullable === true));
  const schemas = Object.entries(whole as TObject['properties']).map(([name, schema]) => {
    const field = fieldOf(entity, name);
    const mayBeLeftOut = field.nullable || field.default !== undefined || field.sqlDefault !== undefined;
    return [name, mayBeLeftOut ? Type.Optional(schema) : schema];
  });
  return Object.fromEntries(schemas);
}

/** Declares an object that the OpenAPI document lists under a title. */
export function titled<const Properties extends TProperties>(
  title: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title });
}

/** Schemas of parameters that may be left out. */
export const optional = {
  text: (options: TStringOptions) => Type.Optional(Type.String(options)),
  integer: (options: TNumberOptions) => Type.Optional(Type.Integer(options)),
  boolean: (description: string) => Type.Optional(Type.Boolean({ description })),
  id: (description: string, example: string) =>
    Type.Optional(Type.String({ format: 'uuid', description, examples: [example] })),
};

export const textOrNull = (options: TSchemaOptions) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

type Keywords = Readonly<Record<string, unknown>>;

function givenSchema({ kind, description }: Field, mayBeNull: boolean): Keywords {
  const { rule, schema, given } = kind;
  const keywords = given === undefined ? schema : { type: schema.type, ...given };
  return {
    ...(mayBeNull ? orNull(orEmpty(keywords)) : keywords),
    description: description === undefined ? rule.charAt(0).toUpperCase() + rule.slice(1) : `${description}: ${rule}`,
  };
}

/** Returns the schema of a text with an empty one allowed, which clears a field like null. */
function orEmpty({ minLength, pattern, ...others }: Keywords): Keywords {
  const isAny = pattern === undefined || pattern === NOT_BLANK;
  return isAny ? others : { ...others, pattern: `^$|${pattern}` };
}

/** Returns the schema with null allowed. */
function orNull({ type, ...others }: Keywords): Keywords {
  if (Array.isArray(type) && type.includes('null')) return { type, ...others };
  const words = others.enum === undefined ? {} : { enum: [...(others.enum as unknown[]), null] };
  return { type: [type, 'null'].flat(), ...others, ...words };
}

/** Returns a schema that also accepts null, without the title, which names the schema that does not. */
export function nullable<Value>(schema: object): TUnsafe<Value | null> {
  const { title: _, ...others } = schema as Readonly<Record<string, unknown>>;
  return Type.Unsafe(orNull(others));
}

function schemasOf<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  schemaOf: (field: Field) => Keywords,
): FieldSchemas<E, Name> {
  const schemas = names.map((name) => {
    const field = fieldOf(entity, name);
    const example = field.example === undefined ? {} : { examples: [field.example] };
    return [name, Type.Unsafe({ ...schemaOf(field), ...example })];
  });
  // The schema of each field is that of its own kind.
  return Object.fromEntries(schemas) as FieldSchemas<E, Name>;
}
