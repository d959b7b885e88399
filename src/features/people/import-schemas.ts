import { type Static, type TSchema, Type } from 'typebox';
import { company } from '../../entities/company.ts';
import { orNull } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

function orNone<Value>(schema: TSchema, description: string, example: Value | null) {
  return Type.Unsafe<Value | null>({ ...orNull(schema as never), description, examples: [example] });
}

export const UsersImportInput = Type.Object({
  companyId: Type.String({
    format: 'uuid',
    description: 'The company of the people',
    examples: [company.fields.id.example],
  }),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'true: checks everything, tells what would change, and changes nothing' }),
  ),
});

/** A problem with a line of the file. */
export const ImportProblemView = Type.Object(
  {
    line: orNone<number>(
      Type.Integer(),
      'The first line of the record, counted from 1; null where it is the file as a whole',
      3,
    ),
    column: orNone<string>(Type.String(), 'As the header names it; null where no single cell is to blame', 'phone'),
    value: orNone<string>(
      Type.String(),
      'The text of the cell, up to 1,000 characters; null where it is not known',
      '12',
    ),
    message: Type.String({
      description: 'What is wrong, and what is expected, for people',
      examples: ['"12" is not valid: expected an optional +, then 7 to 15 digits'],
    }),
  },
  { title: 'ImportProblem' },
);
export type ImportProblemView = Static<typeof ImportProblemView>;

const value = (description: string, example: unknown) =>
  Type.Unsafe<string | number | boolean | string[] | null>({
    type: ['string', 'integer', 'boolean', 'array', 'null'],
    items: { type: 'string' },
    description,
    examples: [example],
  });

/** A change that an import makes to a person. */
const ImportChangeView = Type.Object(
  {
    line: Type.Integer({ examples: [2] }),
    id: orNone<string>(
      Type.String({ format: 'uuid' }),
      'Of the person; null of one whom a dry run would add, and whose id the file does not give',
      user.fields.id.example,
    ),
    email: Type.String({ description: 'As it is afterwards', examples: [user.fields.email.example] }),
    action: Type.String({ title: 'ImportAction', enum: ['added', 'changed'], examples: ['changed'] }),
    fields: Type.Array(
      Type.Object(
        {
          field: Type.String({
            description: 'As the API calls it; roles are those in the company',
            examples: ['lastName'],
          }),
          before: value('As the API writes it; null where there is none', 'Rao'),
          after: value('As the API writes it; null where there is none', 'Rao-Iyer'),
        },
        { title: 'ImportedField' },
      ),
      { description: 'Those that change; of a new person all that have a value' },
    ),
  },
  { title: 'ImportChange' },
);

export const UsersImportView = Type.Object(
  {
    added: Type.Integer({ examples: [0] }),
    changed: Type.Integer({ examples: [1] }),
    unchanged: Type.Integer({ description: 'There already with the same content', examples: [0] }),
    problems: Type.Array(ImportProblemView, {
      description: 'In the order of the lines, up to 10,000; the last one counts the rest',
    }),
    changes: Type.Array(ImportChangeView, {
      description: 'In the order of the lines, of those in which nothing is wrong',
    }),
  },
  { title: 'UsersImport' },
);
export type UsersImportView = Static<typeof UsersImportView>;
