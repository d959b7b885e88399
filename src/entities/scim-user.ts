import { companyId } from './department.ts';
import { type AuditedEntity, withColumns } from './entity.ts';
import { userId } from './held-role.ts';
import { email, text, timestamp } from './values.ts';

const optional = { nullable: true, describes: true } as const;

/** Directory attributes of a user that the user entity lacks; the audit trail records them as the user's. */
export const scimUser = {
  name: 'user',
  noun: 'user',
  table: 'scim_users',
  id: 'userId',
  unique: [],
  hasTimestamps: true,
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: withColumns({
    userId,
    companyId,
    workEmail: { kind: email, ...optional, retention: 'personal' },
    phoneType: { kind: text(100), ...optional, retention: 'none' },
    locality: { kind: text(200), ...optional, retention: 'personal' },
    region: { kind: text(200), ...optional, retention: 'personal' },
    country: { kind: text(200), ...optional, retention: 'personal' },
    managerValue: { kind: text(255), ...optional, retention: 'personal' },
    leftExternalId: { kind: text(500), nullable: true, retention: 'none' },
    deletedAt: { kind: timestamp, nullable: true },
    deletedUserName: { kind: email, nullable: true, retention: 'none' },
  }),
} as const satisfies AuditedEntity;
