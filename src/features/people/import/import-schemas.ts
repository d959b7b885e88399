import { type Static, Type } from 'typebox';
import { company } from '../../../entities/company.ts';
import { answeredFields, optional, textOrNull, titled } from '../../../entities/field-schemas.ts';
import { user } from '../../../entities/user.ts';
import { keysMade } from '../../api-keys/keys-made.ts';

const integerOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] });

const share = (what: string) =>
  optional.integer({
    minimum: 0,
    maximum: 100,
    description: `Refuses an import that ${what}. Percentage of the active people; in small companies up to 3 people, if not 0`,
    examples: [10],
  });

export const UsersImportInput = Type.Object({
  companyId: Type.String({
    format: 'uuid',
    description: 'The company of the people',
    examples: [company.fields.id.example],
  }),
  dryRun: optional.boolean('true: checks everything and reports the changes, without writing'),
  invite: optional.boolean('false: new people get no mail with an invitation; default true'),
  mode: optional.text({
    enum: ['some', 'all'],
    description: 'all: the file has everybody, and active people who are missing are deactivated; default some',
  }),
  scope: optional.text({
    enum: ['company', 'file'],
    description: 'With mode=all, who leaves if missing: company: anybody; file: people from this feed; default company',
  }),
  maxLeavers: optional.integer({
    minimum: 0,
    maximum: 50_000,
    description:
      'Refuses an import that would deactivate more people than this, in whatever way; default 0 with mode=all',
    examples: [0],
  }),
  maxChanged: share('gives another name, address or number to; default 10 with mode=all'),
  maxAddresses: share('gives another e-mail address to; default maxChanged'),
  maxMoved: share('gives another department or manager to; default 10 with mode=all'),
  asOf: optional.text({
    maxLength: 255,
    description:
      'The age of the file: a date-time, a text with a date such as its name, or the name of a column of dates, of which the latest counts. ' +
      'An older file than the last one of the feed is refused',
    examples: ['people-2026-11-27.csv'],
  }),
  feed: optional.text({
    maxLength: 50,
    description: 'Tells several feeds of a company apart; default people',
    examples: ['people'],
  }),
  confirm: optional.text({
    maxLength: 64,
    description: 'Imports a file beyond its limits: the value of confirm in the answer about this very file',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  choices: optional.text({
    maxLength: 8000,
    description:
      'What a file leaves open, as a JSON object: sheet, encoding, header, from, leaveOut, ' +
      'columns, values, departments, newcomer, externalIds, dates, calendar, years, serials, decimal, garbled, hidden, separator',
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

/** What a file does beyond a limit. */
export const OverLimit = titled('OverLimit', {
  limit: Type.Unsafe<'maxLeavers' | 'maxChanged' | 'maxAddresses' | 'maxMoved' | 'asOf' | 'columns'>({
    type: 'string',
    enum: ['maxLeavers', 'maxChanged', 'maxAddresses', 'maxMoved', 'asOf', 'columns'],
    description: 'asOf: the file is older than the last one; columns: some of the last file are gone',
    examples: ['maxChanged'],
  }),
  count: Type.Integer({ description: 'Number of people', examples: [255] }),
  allowed: Type.Integer({ description: 'Number of people that the limit allows', examples: [26] }),
  looksLike: textOrNull({
    description: 'The mistake that it looks like',
    examples: ['first and last names that are swapped'],
  }),
  message: Type.String({ examples: ['255 of 255 people would get another e-mail address: maxAddresses allows 26'] }),
  examples: Type.Array(
    titled('LimitExample', {
      line: integerOrNull('Line of the file; null for somebody who is missing from it', 2),
      email: Type.String({ examples: [user.fields.email.example] }),
      before: Type.String({ examples: ['Asha Rao, asha.rao@acme.example, 7'] }),
      after: textOrNull({ description: 'null: they are missing', examples: ['Asha Rao, vera.iyer@acme.example, 7'] }),
    }),
    { description: 'The first three' },
  ),
});
export type OverLimit = Static<typeof OverLimit>;

/** Fields of somebody who is missing from the file. */
export const LEAVER_FIELDS = ['id', 'email', 'firstName', 'lastName'] as const;

export const UsersImportView = titled('UsersImport', {
  added: Type.Integer({ examples: [0] }),
  changed: Type.Integer({ examples: [1] }),
  unchanged: Type.Integer({ description: 'Number that already existed with the same content', examples: [0] }),
  leavers: optional.integer({
    description: 'Number of people who are deactivated, missing or not; absent without mode=all where there are none',
    examples: [3],
  }),
  leaving: Type.Optional(
    Type.Array(Type.Object(answeredFields(user, LEAVER_FIELDS), { title: 'Leaver' }), {
      description: 'The first 100 of them',
    }),
  ),
  over: Type.Optional(
    Type.Array(OverLimit, { description: 'What the file does beyond its limits; absent where there is nothing' }),
  ),
  confirm: optional.text({
    description: 'With over: what confirms exactly this file with these choices',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
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
  notes: Type.Optional(
    Type.Array(ImportProblemView, {
      description:
        'What to know, though it stops nothing, such as a manager who was found by name; by line, the first 100',
    }),
  ),
  notesTotal: optional.integer({ description: 'Number of all notes', examples: [1] }),
  changes: Type.Array(ImportChangeView, {
    description: 'Ordered by line, for lines without problems: a page, if requested',
  }),
  changesNext: integerOrNull('Value of after for the next page; null at the end', 101),
});
export type UsersImportView = Static<typeof UsersImportView>;
