import { type Static, Type } from 'typebox';
import { parseBody, readValues } from '../../api/body.ts';
import { companyIdParameter, idParameter, searchParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { apiKey } from '../../entities/api-key.ts';
import { directory } from '../../entities/directory.ts';
import { answeredFields, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { choice, integer, uuid } from '../../entities/values.ts';

export const DirectoryGroupListInput = Type.Object({
  companyId: companyIdParameter,
  directoryId: optional.id('Only groups of this directory', directory.fields.id.example),
  search: searchParameter('name'),
  ...pageParameters(100),
});
export type DirectoryGroupListInput = Static<typeof DirectoryGroupListInput>;

/** Fields of a directory that a request may set. */
export const DIRECTORY_FIELDS = ['name', 'kind', 'connectionId', 'active'] as const;
export const SHOWN_FIELDS = ['id', 'companyId', ...DIRECTORY_FIELDS, 'createdAt'] as const;
export const KEY_FIELDS = ['id', 'name', 'prefix', 'createdAt', 'expiresAt'] as const;

/** Days for which the former keys of a directory go on. */
const OVERLAP = { usual: 7, most: 90 };

const id = idParameter(directory);
export const DirectoryIdInput = Type.Object({ id });

export const DirectoryKeyInput = Type.Object({
  id,
  overlapDays: optional.integer({
    minimum: 0,
    maximum: OVERLAP.most,
    description: `Days for which the keys in use go on; default ${OVERLAP.usual}`,
    examples: [OVERLAP.usual],
  }),
});

/** Reads the body of a renewal. @throws ApiError `INVALID_INPUT` */
export function readDirectoryKey(raw: unknown): { id: string; overlapDays: number } {
  return { overlapDays: OVERLAP.usual, ...readValues(raw, { id: uuid }, { overlapDays: integer(0, OVERLAP.most) }) };
}

const OTHER = '3f0d5b1c-2a47-4c86-9e15-7b8c9d0e1f23';

export const DirectoryJoinInput = Type.Object({
  id,
  intoId: Type.String({
    format: 'uuid',
    description: 'Of the directory of the same company that takes its keys, groups and people',
    examples: [OTHER],
  }),
});

/** Reads the body of a join. @throws ApiError `INVALID_INPUT` */
export const readJoin = (raw: unknown) => readValues(raw, { id: uuid, intoId: uuid });

/** What becomes of what a directory gave. */
export const ENDINGS = ['HAND_OVER', 'KEEP', 'LET_GO'] as const;

export const DirectoryEndInput = Type.Object({
  id,
  choice: optional.text({
    enum: [...ENDINGS],
    description:
      'Required where it has people or groups. HAND_OVER: another directory gets them; KEEP: what it gave counts as given by hand; LET_GO: ' +
      'people lose the roles that it alone gave, and their external ids',
    examples: ['KEEP'],
  }),
  intoId: optional.id('The directory of the same company that gets them by HAND_OVER', OTHER),
});

/** How a directory ends. */
export type Ending = ReturnType<typeof readEnding>;

/** Reads the body of an end. @throws ApiError `INVALID_INPUT` */
export function readEnding(raw: unknown) {
  const handsOver = parseBody(raw).choice === 'HAND_OVER';
  const required = { id: uuid, ...(handsOver ? { intoId: uuid } : {}) };
  return readValues(raw, required, { choice: choice(ENDINGS), intoId: uuid });
}

const lastUsedAt = textOrNull({
  format: 'date-time',
  description: 'The last request, to the minute',
  examples: [null],
});

export const DirectoryView = titled('Directory', {
  ...answeredFields(directory, SHOWN_FIELDS),
  keys: Type.Array(Type.Object({ ...answeredFields(apiKey, KEY_FIELDS), lastUsedAt }), {
    description: 'Its keys in use, newest first',
  }),
  lastRequestAt: lastUsedAt,
  lastUsedAt: textOrNull({ format: 'date-time', description: 'lastRequestAt by its former name', examples: [null] }),
  prefix: Type.String({ description: 'Of its newest key in use; empty: it has none', examples: ['odk_8Jq2vXbT'] }),
  expiresAt: textOrNull({ format: 'date-time', description: 'When that key expires', examples: [null] }),
  _count: Type.Object({
    users: Type.Integer({ description: 'Number of people that the directory manages', examples: [1200] }),
    groups: Type.Integer({ description: 'Groups that it has sent', examples: [12] }),
  }),
});
export type DirectoryView = Static<typeof DirectoryView>;

export const DirectoryDetail = titled('DirectoryDetail', {
  ...DirectoryView.properties,
  _count: Type.Object({
    ...DirectoryView.properties._count.properties,
    mappings: Type.Integer({ description: 'Mappings of its groups', examples: [3] }),
    roles: Type.Integer({ description: 'Roles of people that it gives, by groups or attributes', examples: [40] }),
  }),
  leftOut: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
      userId: textOrNull({ format: 'uuid', description: 'The person; null: a group', examples: [null] }),
      values: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'What was left out, by attribute; of a group also its name',
        examples: [{ roles: 'astronaut' }],
      }),
    }),
    { description: 'What it has sent lately by any of its keys and was left out, newest first, at most 20' },
  ),
});
export type DirectoryDetail = Static<typeof DirectoryDetail>;

export const DirectoryGroupView = titled('DirectoryGroup', {
  id: Type.String({ format: 'uuid', examples: ['0a9c4d52-8e7f-4a51-b4d0-4d1c2c3f5a66'] }),
  name: Type.String({ examples: ['Travel approvers'] }),
  directory: Type.Object(answeredFields(directory, ['id', 'name']), { description: 'The directory that sent it' }),
  _count: Type.Object({
    users: Type.Integer({ description: 'Members', examples: [12] }),
    mappings: Type.Integer({ description: 'Mappings by its id or name', examples: [1] }),
  }),
});
export type DirectoryGroupView = Static<typeof DirectoryGroupView>;
