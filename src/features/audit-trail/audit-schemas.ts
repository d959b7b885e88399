import { type Static, Type } from 'typebox';
import { pageParameters } from '../../api/pagination.ts';
import { AUDIT_ACTIONS } from '../../audit/change-view.ts';
import { AUDITED_ENTITIES } from '../../entities/entities.ts';
import { optional } from '../../entities/field-schemas.ts';

const USER = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';
const COMPANY = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

const Entity = optional.text({
  title: 'EntityName',
  enum: [...AUDITED_ENTITIES],
  description: 'Only changes of this entity',
  examples: ['user'],
});

const moment = (description: string) =>
  optional.text({ format: 'date-time', description, examples: ['2026-01-31T09:30:00.000Z'] });

export const AuditListInput = Type.Object({
  entity: Entity,
  entityId: optional.text({
    maxLength: 100,
    description: 'Only changes of the row with this id, for a policy also of its levels; requires entity',
    examples: [USER],
  }),
  userId: optional.id('Only changes that concern this person', USER),
  companyId: optional.id('Only changes that concern this company', COMPANY),
  actorId: optional.id('Only changes by this person or API key', USER),
  actorKind: optional.text({
    enum: ['user', 'key', 'import', 'command'],
    description: 'Only changes by people, API keys, imports or commands of the operator',
    examples: ['key'],
  }),
  action: optional.text({ enum: [...AUDIT_ACTIONS], description: 'Only changes of this kind', examples: ['removed'] }),
  requestId: optional.text({
    maxLength: 128,
    description: 'Only changes of this request or import: the id of a group',
    examples: ['5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e'],
  }),
  group: optional.text({
    enum: ['request'],
    description: 'request: one item for all changes of a request or import, with their counts',
    examples: ['request'],
  }),
  from: moment('Only changes at this time or later'),
  to: moment('Only changes before this time'),
  ...pageParameters(100),
});
export type AuditListInput = Static<typeof AuditListInput>;

/** Longer than any cursor. */
const MAX_CURSOR_LENGTH = 100;

export const EventListInput = Type.Object({
  after: optional.text({
    maxLength: MAX_CURSOR_LENGTH,
    description: 'The next of an earlier response, unchanged; omitted: from the beginning',
  }),
  from: optional.text({
    enum: ['now'],
    description: 'now: no changes, and as next the cursor after the last one; not with after',
  }),
  entity: Entity,
  userId: optional.id('Only changes that concern this person', USER),
  companyId: optional.id('Only changes that concern this company', COMPANY),
  wait: optional.integer({
    minimum: 0,
    maximum: 25,
    default: 0,
    description: 'Seconds to wait for a change (long polling)',
  }),
  limit: optional.integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of changes' }),
});
export type EventListInput = Static<typeof EventListInput>;
