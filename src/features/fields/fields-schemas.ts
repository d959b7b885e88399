import { type Static, Type } from 'typebox';
import { timeFields } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { EXTENDED_ENTITIES, fieldDefinition } from '../../entities/field-definition.ts';
import { answeredFields, optional, titled } from '../../entities/field-schemas.ts';

/** Fields whose values are JSON. */
export const JSON_FIELDS = ['labels', 'choices', 'default'] as const;
export const PLAIN_FIELDS = fieldsBut(fieldDefinition, ...JSON_FIELDS);
/** Fields that a create sets besides the id and the company, and those that an update changes. */
export const FIELD_FIELDS = fieldsBut(fieldDefinition, 'id', 'companyId');
export const CHANGED_FIELDS = fieldsBut(fieldDefinition, 'id', 'companyId', ...fieldDefinition.fixed);

const json = answeredFields(fieldDefinition, JSON_FIELDS);

/** A field of one's own in answers. */
export const FieldView = titled('Field', {
  ...answeredFields(fieldDefinition, PLAIN_FIELDS),
  labels: Type.Unsafe<Record<string, string> | null>(json.labels),
  choices: Type.Unsafe<string[] | null>(json.choices),
  default: Type.Unsafe<string | number | boolean | string[] | null>(json.default),
  ...timeFields,
  missing: optional.integer({
    description: 'Of a required one: the number of rows without it, which are not refused',
    examples: [0],
  }),
  gone: optional.integer({
    description:
      'Of a PERSON: the number of rows that name somebody who has left, was erased, or is in another company by now. Their values stay',
    examples: [0],
  }),
});
export type FieldView = Static<typeof FieldView>;

export const FieldListInput = Type.Object({
  companyId: optional.id(
    'The company whose fields are listed with those of the platform; omitted: these alone',
    fieldDefinition.fields.companyId.example,
  ),
  entity: optional.text({
    enum: [...EXTENDED_ENTITIES],
    description: 'Only fields of these rows',
    examples: ['user'],
  }),
  ...pageParameters(1000),
});
export type FieldListInput = Static<typeof FieldListInput>;
