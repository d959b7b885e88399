import { type TObject, Type } from 'typebox';
import { apiErrors } from '../entities/api-error.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import { problemOf } from '../entities/field-problem.ts';
import { optional } from '../entities/field-schemas.ts';
import { compileListInput } from './input.ts';

/** In characters; a longer text than any name could match nothing. */
const MAX_SEARCH_LENGTH = 256;

/** Returns the schema of a list's `search` parameter. @param fields searched fields, for the description */
export function searchParameter(fields: string) {
  return optional.text({
    maxLength: MAX_SEARCH_LENGTH,
    description: `Text that the ${fields} must contain; case, accents and extra white space do not matter`,
  });
}

/** Returns the schema of a list's `sort` parameter: one of these fields, with a leading `-` for descending order. */
export function sortParameter<const Field extends string>(...fields: readonly Field[]) {
  return Type.Optional(
    Type.Unsafe<Field | `-${Field}`>({
      type: 'string',
      enum: fields.flatMap((field) => [field, `-${field}`]),
      description:
        'Sort key, with a leading - for descending order; ties are sorted by id. Omitted: by name, of a search first the ' +
        'names that begin with the text',
      examples: ['-updatedAt'],
    }),
  );
}

/** Returns a reader of the parameters of a list with `activeOnly` and `inactiveOnly`. */
export function compileListOfStates<Schema extends TObject>(schema: Schema): (raw: unknown) => Record<string, unknown> {
  const read = compileListInput(schema);
  return (raw) => {
    const input = read(raw);
    if (!input.activeOnly || !input.inactiveOnly) return input;
    throw apiErrors.invalidInput([problemOf('inactiveOnly', 'INVALID_VALUE', 'must not be true where activeOnly is')]);
  };
}

/** Parameter of lists of what has changed lately. */
export const updatedSince = optional.text({
  format: 'date-time',
  description:
    'Only what was added or changed at this time or later. A change shows once it is committed: take a time somewhat ' +
    'before the last request. What was removed is in the change feed alone',
  examples: ['2026-01-31T09:30:00.000Z'],
});

export const companyIdParameter = Type.String({
  format: 'uuid',
  description: 'The company whose list is requested',
  examples: ['b3cb9b86-e923-4834-bb80-42f6e9b215da'],
});

/** Returns the schemas of the parameters `from` and `to` of what happened in a time. @param what things with a time */
export function rangeParameters(what: string) {
  const moment = (description: string, example: string) =>
    optional.text({ format: 'date-or-date-time', description, examples: [example] });
  return {
    from: moment(`Only ${what} of this time or later; a date is its beginning in UTC`, '2026-04-01'),
    to: moment(`Only ${what} before this time`, '2026-07-01'),
  };
}

/** Returns the schema of the id of an existing row. */
export function idParameter(entity: AuditedEntity) {
  const { kind, example = '' } = fieldOf(entity, entity.id);
  const form = kind.sqlType === 'uuid' ? { format: 'uuid' } : { maxLength: 100 };
  return Type.String({ ...form, description: `Of the ${entity.noun}`, examples: [String(example)] });
}

/** Returns the schema of the id in the body of a create. */
export const newIdParameter = optional.text({ format: 'uuid', description: 'Generated if omitted' });
