import { type TObject, Type } from 'typebox';
import { apiErrors, problemOf } from '../entities/api-error.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import { optional } from '../entities/field-schemas.ts';
import { compileListInput, LIST_OF } from './input.ts';

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
    'Only what was added, or changed in what the list shows, at this time or later. A change shows once it is committed: take a time somewhat ' +
    'before the last request. What was removed is in the change feed alone',
  examples: ['2026-01-31T09:30:00.000Z'],
});

export const companyIdParameter = Type.String({
  format: 'uuid',
  description: 'The company whose list is requested',
  examples: ['b3cb9b86-e923-4834-bb80-42f6e9b215da'],
});

/** Times of a row that a list adds by `include`. */
export const TIMES = ['createdAt', 'updatedAt'] as const;
const moment = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] });
/** When a row was added, and when what it shows changed last. */
export const timeFields = { createdAt: moment, updatedAt: moment };
/** The same in a list, by `include`. */
export const includedTimes = { createdAt: Type.Optional(moment), updatedAt: Type.Optional(moment) };

/** The filter of a list by the ids of another system, and what `include` adds of them. */
export const externalIdParameter = optional.text({
  maxLength: 255,
  description: 'Only what another system knows by this id',
});
export const INCLUDED_ID = { externalId: 'adds the id that another system has for it' } as const;

/** What `include=fields` adds to a list. */
export const INCLUDED_FIELDS = { fields: 'adds fields of one’s own' } as const;
/** The `include` of an operation that adds nothing else. */
export const includedFields = optional.text({
  [LIST_OF]: { enum: ['fields'] },
  description: 'fields: adds fields of one’s own, also where none are defined',
});
/** Fields of one's own in an answer, where there are definitions of any. */
export const fieldsView = {
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Fields of one’s own that the caller may read, by key; absent where none are defined',
      examples: [{ shoeSize: 42 }],
    }),
  ),
};

/** Returns the schema of the `include` of a list with times. @param parts what else it adds, by name */
export function includeParameter(parts: Readonly<Record<string, string>> = {}) {
  const told = Object.entries({ ...parts, 'createdAt, updatedAt': 'adds these times' });
  return Type.Optional(
    Type.Unsafe<string[]>({
      type: 'string',
      [LIST_OF]: { enum: [...Object.keys(parts), ...TIMES] },
      description: told.map(([name, adds]) => `${name}: ${adds}`).join('; '),
    }),
  );
}

/** Returns the schemas of the parameters `from` and `to` of what happened in a time. @param what things with a time */
export function rangeParameters(what: string) {
  const moment = (description: string, example: string) =>
    optional.text({ format: 'date-or-date-time', description, examples: [example] });
  return {
    from: moment(
      `Only ${what} of this time or later; a date is its beginning in the time zone of the company`,
      '2026-04-01',
    ),
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
