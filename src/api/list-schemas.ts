import { Type } from 'typebox';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';

/** Longer needles than any name are refused: they could match nothing. */
const MAX_SEARCH_LENGTH = 256;

/** The schema of a list's `search` parameter; `fields` says in which fields it looks. */
export function searchParameter(fields: string) {
  return Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description: `Text that the ${fields} must contain; case, accents and extra white space do not matter`,
    }),
  );
}

/** The schema of the required `companyId` parameter. */
export function companyIdParameter() {
  return Type.String({
    format: 'uuid',
    description: 'The company whose list is asked for',
    examples: ['b3cb9b86-e923-4834-bb80-42f6e9b215da'],
  });
}

/** The schema of the id of a row that there is. */
export function idParameter(entity: AuditedEntity) {
  const { kind, example = '' } = fieldOf(entity, entity.id);
  const form = kind.sqlType === 'uuid' ? { format: 'uuid' } : { maxLength: 100 };
  return Type.String({ ...form, description: `Of the ${entity.noun}`, examples: [String(example)] });
}

/** The schema of the id in the body of a create. */
export function newIdParameter() {
  return Type.Optional(Type.String({ format: 'uuid', description: 'Left out: the service makes one' }));
}
