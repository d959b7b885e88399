import { type Static, Type } from 'typebox';
import { checkOptional, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { companyIdParameter, searchParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { apiKey } from '../../entities/api-key.ts';
import { allOf, checkKnown } from '../../entities/check-fields.ts';
import { answeredFields, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { integer, uuid } from '../../entities/values.ts';

export const DirectoryListInput = Type.Object({ companyId: companyIdParameter, ...pageParameters(100) });

export const DirectoryGroupListInput = Type.Object({
  companyId: companyIdParameter,
  directoryId: optional.id('Only groups of this directory', apiKey.fields.id.example),
  search: searchParameter('name'),
  ...pageParameters(100),
});
export type DirectoryGroupListInput = Static<typeof DirectoryGroupListInput>;

const KEY_FIELDS = ['id', 'name', 'prefix', 'createdAt', 'expiresAt'] as const;

/** Days for which the former keys of a directory go on. */
const OVERLAP = { usual: 7, most: 90 };

export const DirectoryKeyInput = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of the directory', examples: [apiKey.fields.id.example] }),
  overlapDays: optional.integer({
    minimum: 0,
    maximum: OVERLAP.most,
    description: `Days for which the keys in use go on; default ${OVERLAP.usual}`,
    examples: [OVERLAP.usual],
  }),
});

/** Reads the body of a renewal. @throws ApiError `INVALID_INPUT` */
export function readDirectoryKey(raw: unknown): { id: string; overlapDays: number } {
  const given = parseBody(raw);
  const checked = allOf(
    checkValue('id', uuid, given.id),
    checkOptional('overlapDays', integer(0, OVERLAP.most), given),
    checkKnown(given, ['id', 'overlapDays']),
  );
  const [id, overlapDays = OVERLAP.usual] = validOrThrow(checked);
  return { id, overlapDays };
}

export const DirectoryView = titled('Directory', {
  ...answeredFields(apiKey, KEY_FIELDS),
  lastUsedAt: textOrNull({ format: 'date-time', description: 'The last request, to the minute', examples: [null] }),
  _count: Type.Object({
    users: Type.Integer({ description: 'Number of people that the directory manages', examples: [1200] }),
    groups: Type.Integer({ description: 'Groups that it has sent', examples: [12] }),
  }),
});
export type DirectoryView = Static<typeof DirectoryView>;

export const DirectoryGroupView = titled('DirectoryGroup', {
  id: Type.String({ format: 'uuid', examples: ['0a9c4d52-8e7f-4a51-b4d0-4d1c2c3f5a66'] }),
  name: Type.String({ examples: ['Travel approvers'] }),
  directory: Type.Object(answeredFields(apiKey, ['id', 'name']), { description: 'The API key that sent it' }),
  _count: Type.Object({
    users: Type.Integer({ description: 'Members', examples: [12] }),
    mappings: Type.Integer({ description: 'Mappings by its id or name', examples: [1] }),
  }),
});
export type DirectoryGroupView = Static<typeof DirectoryGroupView>;
