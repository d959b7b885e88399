import { type Static, Type } from 'typebox';
import { AUDITED_ENTITIES } from '../entities/entities.ts';
import { optional, textOrNull, titled } from '../entities/field-schemas.ts';

const USER = '3b1f8c1e-7a2d-4c1b-9f3e-5d6a7b8c9d0e';
const COMPANY = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

const uuidOrNull = (description: string, example: string | null) =>
  textOrNull({ format: 'uuid', description, examples: [example] });
const value = (description: string, example: string) =>
  Type.Unsafe<string | number | boolean | object | null>({
    type: ['string', 'integer', 'boolean', 'object', 'array', 'null'],
    additionalProperties: true,
    items: {},
    description,
    examples: [example],
  });

export const AUDIT_ACTIONS = ['added', 'changed', 'removed', 'erased', 'refused', 'searched'] as const;

/** A change as shown by the audit list, the feed and webhooks. */
export const ChangeView = titled('Change', {
  id: Type.String({ description: 'Id of the change; ids are not ordered', examples: ['4711'] }),
  changedAt: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
  action: Type.String({
    enum: [...AUDIT_ACTIONS],
    description:
      'erased: the personal values of all earlier changes of this user; refused and searched: nothing changed, see docs/audit.md',
    examples: ['changed'],
  }),
  entity: Type.String({ title: 'EntityName', enum: [...AUDITED_ENTITIES], examples: ['user'] }),
  entityId: Type.String({ description: 'Id of the changed row; for a system role that of its user', examples: [USER] }),
  userId: uuidOrNull('The person concerned', USER),
  companyId: uuidOrNull('The company concerned, after the change', COMPANY),
  policyId: optional.text({
    description: 'Of a level: its approval policy',
    examples: ['10f519f7-ea4f-4c89-86b2-6f3d70d18902'],
  }),
  actor: Type.Object({
    kind: Type.String({ enum: ['user', 'key', 'import', 'command'], examples: ['user'] }),
    userId: uuidOrNull('Who made the request', USER),
    runId: uuidOrNull('Id of the import, the same for all its changes', null),
    keyId: optional.id('Id of the API key, if one made the change', '9c1d3a52-6b7e-4f80-8d21-3e4f5a6b7c8d'),
  }),
  requestId: textOrNull({ description: 'X-Request-Id of the request', examples: ['5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e'] }),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['phone'] }),
      before: value('Value in the form of the API', '+910000012345'),
      after: value('Value in the form of the API', '+910000054321'),
      kept: Type.Boolean({
        description: 'false if the values have been erased or are never shown; both are null then',
        examples: [true],
      }),
    }),
    { description: 'The changed fields, with their values' },
  ),
});
export type ChangeView = Static<typeof ChangeView>;

/** A change with display names, as the audit list returns it. */
export const NamedChangeView = titled('NamedChange', {
  ...ChangeView.properties,
  actorName: textOrNull({
    description: 'Name of the person or API key that made the change; null if unknown or hidden from the caller',
    examples: ['Asha Rao'],
  }),
  entityName: textOrNull({
    description: 'The name of what changed, of a role that of the person; null likewise',
    examples: ['Priya Das'],
  }),
  names: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description:
      'The name of each id that the values refer to, as it is now, or as it was of what is gone; null likewise',
    examples: [{}],
  }),
});
export type NamedChangeView = Static<typeof NamedChangeView>;

/** The changes of one request, import or command, as the audit list returns them by `group=request`. */
export const ChangeGroupView = titled('ChangeGroup', {
  id: Type.String({
    description: 'What to send as requestId for the changes themselves',
    examples: ['5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e'],
  }),
  requestId: ChangeView.properties.requestId,
  changedAt: Type.String({
    format: 'date-time',
    description: 'Time of the first change',
    examples: ['2026-01-31T09:30:00.000Z'],
  }),
  actor: ChangeView.properties.actor,
  actorName: NamedChangeView.properties.actorName,
  counts: Type.Array(
    Type.Object({
      entity: ChangeView.properties.entity,
      action: Type.String({ enum: [...AUDIT_ACTIONS], examples: ['added'] }),
      count: Type.Integer({ examples: [1200] }),
    }),
    { description: 'All changes that the caller may see and the filter wants, by entity and action' },
  ),
  subjects: Type.Array(
    Type.Object({
      entity: ChangeView.properties.entity,
      id: Type.String({ examples: [USER] }),
      name: textOrNull({ description: 'Null if unknown or hidden from the caller', examples: ['Priya Das'] }),
    }),
    { description: 'What they are about, at most five: of a role the person, of a level its policy' },
  ),
  subjectCount: Type.Integer({ description: 'Number of all subjects', examples: [1200] }),
  main: NamedChangeView,
});
export type ChangeGroupView = Static<typeof ChangeGroupView>;
