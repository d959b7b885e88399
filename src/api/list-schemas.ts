import { Type } from 'typebox';

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
