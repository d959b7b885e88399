import { companyId } from './department.ts';
import type { AuditedEntity } from './entity.ts';
import { userId } from './held-role.ts';
import { email, text, timestamp } from './values.ts';

/** Directory attributes of a user that the user entity lacks; the audit trail records them as the user's. */
export const scimUser = {
  name: 'user',
  noun: 'user',
  table: 'scim_users',
  id: 'userId',
  unique: [],
  hasTimestamps: true,
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: {
    userId,
    companyId,
    workEmail: { column: 'work_email', kind: email, nullable: true, retention: 'personal' },
    phoneType: { column: 'phone_type', kind: text(100), nullable: true, retention: 'none' },
    locality: { column: 'locality', kind: text(200), nullable: true, retention: 'personal' },
    region: { column: 'region', kind: text(200), nullable: true, retention: 'personal' },
    country: { column: 'country', kind: text(200), nullable: true, retention: 'personal' },
    managerValue: { column: 'manager_value', kind: text(255), nullable: true, retention: 'personal' },
    leftExternalId: { column: 'left_external_id', kind: text(500), nullable: true, retention: 'none' },
    deletedAt: { column: 'deleted_at', kind: timestamp, nullable: true },
    deletedUserName: { column: 'deleted_user_name', kind: email, nullable: true, retention: 'none' },
  },
} as const satisfies AuditedEntity;
