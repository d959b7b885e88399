import { type Static, Type } from 'typebox';
import { company } from '../../../entities/company.ts';
import { answeredFields, optional, textOrNull, titled } from '../../../entities/field-schemas.ts';
import { user } from '../../../entities/user.ts';
import { keysMade } from '../../api-keys/keys-made.ts';

const integerOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] });

export const UsersImportInput = Type.Object({
  companyId: Type.String({
    format: 'uuid',
    description: 'The company of the people',
    examples: [company.fields.id.example],
  }),
  dryRun: optional.boolean('true: checks everything and reports the changes, without writing'),
  mode: optional.text({
    enum: ['some', 'all'],
    description: 'all: the file has everybody, and active people who are missing are deactivated; default some',
  }),
  maxLeavers: optional.integer({
    minimum: 0,
    maximum: 50_000,
    description: 'With mode=all: refuses an import that would deactivate more missing people than this; default 0',
    examples: [0],
  }),
  choices: optional.text({
    maxLength: 8000,
    description:
      'What a file leaves open, as a JSON object: sheet, encoding, header, from, leaveOut, columns, values, dates, serials, decimal, hidden',
    examples: ['{"header":3,"columns":{"Role":"jobTitle","*":""}}'],
  }),
  changes: optional.boolean('true: lists the changes, a page at a time'),
  after: optional.integer({
    minimum: 0,
    description: 'With changes: lists those of the lines after this one',
    examples: [0],
  }),
  limit: optional.integer({
    minimum: 1,
    maximum: 1000,
    description: 'With changes: size of a page; default 100',
    examples: [100],
  }),
});

/** A problem with a line of the file. */
export const ImportProblemView = titled('ImportProblem', {
  line: integerOrNull('First line of the record, counted from 1; null for a problem of the whole file', 3),
  column: textOrNull({
    description: 'Name of the column in the header; null if the problem is not in a single cell',
    examples: ['phone'],
  }),
  value: textOrNull({ description: 'Content of the cell, up to 1,000 characters; null if unknown', examples: ['12'] }),
  message: Type.String({
    description: 'Human-readable problem and expected value',
    examples: ['"12" is not valid: expected an optional +, then 7 to 15 digits'],
  }),
});
export type ImportProblemView = Static<typeof ImportProblemView>;

const value = (description: string, example: unknown) =>
  Type.Unsafe<string | number | boolean | string[] | null>({
    anyOf: [{ type: 'array', items: { type: 'string' } }, { type: ['string', 'integer', 'boolean', 'null'] }],
    description,
    examples: [example],
  });

/** A change that an import makes to a person. */
export const ImportChangeView = titled('ImportChange', {
  line: Type.Integer({ examples: [2] }),
  id: textOrNull({
    format: 'uuid',
    description: 'Id of the person; null if a dry run would add them and the file has no id',
    examples: [user.fields.id.example],
  }),
  email: Type.String({ description: 'Value after the change', examples: [user.fields.email.example] }),
  action: Type.String({ title: 'ImportAction', enum: ['added', 'changed'], examples: ['changed'] }),
  fields: Type.Array(
    titled('ImportedField', {
      field: Type.String({
        description: 'Name of the field in the API; roles are those in the company',
        examples: ['lastName'],
      }),
      before: value('Value in the form of the API; null if there is none', 'Rao'),
      after: value('Value in the form of the API; null if there is none', 'Rao-Iyer'),
    }),
    { description: 'Changed fields; for a new person all that have a value' },
  ),
});
export type ImportChangeView = Static<typeof ImportChangeView>;

/** Fields of somebody who is missing from the file. */
export const LEAVER_FIELDS = ['id', 'email', 'firstName', 'lastName'] as const;

export const UsersImportView = titled('UsersImport', {
  added: Type.Integer({ examples: [0] }),
  changed: Type.Integer({ examples: [1] }),
  unchanged: Type.Integer({ description: 'Number that already existed with the same content', examples: [0] }),
  leavers: optional.integer({
    description: 'With mode=all: number of active people who are missing from the file',
    examples: [3],
  }),
  leaving: Type.Optional(
    Type.Array(Type.Object(answeredFields(user, LEAVER_FIELDS), { title: 'Leaver' }), {
      description: 'With mode=all: the first 100 of them, by name',
    }),
  ),
  keysMade,
  problems: Type.Array(ImportProblemView, { description: 'Ordered by line; the first 100' }),
  problemsTotal: Type.Integer({ description: 'Number of all problems', examples: [1] }),
  leftOut: Type.Optional(
    Type.Array(ImportProblemView, {
      description:
        'Values that could not be read and were left out, by line; the first 100. Stored values stay. Absent where there are none',
    }),
  ),
  leftOutTotal: optional.integer({ description: 'Number of all values that were left out', examples: [1] }),
  changes: Type.Array(ImportChangeView, {
    description: 'Ordered by line, for lines without problems: a page, if requested',
  }),
  changesNext: integerOrNull('Value of after for the next page; null at the end', 101),
});
export type UsersImportView = Static<typeof UsersImportView>;
