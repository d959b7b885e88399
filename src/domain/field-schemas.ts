import { type TObject, type TUnsafe, Type } from 'typebox';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type RowOf } from './entity.ts';

type FieldSchemas<E extends AuditedEntity, Name extends FieldName<E>> = { [Field in Name]: TUnsafe<RowOf<E>[Field]> };

/** The schemas of some fields as they are answered, in this order. */
export function answeredFields<E extends AuditedEntity, const Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
): FieldSchemas<E, Name> {
  return schemasOf(entity, names, ({ description }) => description);
}

/** The schemas of some fields as they are given. The rule is told in words: values are trimmed before they are checked. */
export function givenFields<E extends AuditedEntity, const Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
): FieldSchemas<E, Name> {
  return schemasOf(entity, names, ({ description, kind: { rule } }) =>
    description === undefined ? rule.charAt(0).toUpperCase() + rule.slice(1) : `${description}: ${rule}`,
  );
}

/** The schemas of the fields of a new row as they are given: those that may be left out are optional. */
export function newRowFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
): TObject['properties'] {
  const schemas = Object.entries(givenFields(entity, names) as TObject['properties']).map(([name, schema]) => {
    const field = fieldOf(entity, name);
    const mayBeLeftOut = field.nullable || field.default !== undefined || field.sqlDefault !== undefined;
    return [name, mayBeLeftOut ? Type.Optional(schema) : schema];
  });
  return Object.fromEntries(schemas);
}

function schemasOf<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  describe: (field: Field) => string | undefined,
): FieldSchemas<E, Name> {
  const schemas = names.map((name) => {
    const field = fieldOf(entity, name);
    const { kind, nullable, example } = field;
    const description = describe(field);
    const schema = {
      ...kind.schema,
      ...(nullable ? { type: [kind.schema.type, 'null'] } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { examples: [example] }),
    };
    return [name, Type.Unsafe(schema)];
  });
  // The schema of each field is that of its own kind.
  return Object.fromEntries(schemas) as FieldSchemas<E, Name>;
}
