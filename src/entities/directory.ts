import { companyId } from './department.ts';
import { type AuditedEntity, referenceWithinCompany, withColumns } from './entity.ts';
import { boolean, choice, text, timestamp, uuid } from './values.ts';

/** What provisions the people of a company by SCIM; its keys, groups and links stay when one of them changes. */
export const directory = {
  name: 'directory',
  noun: 'directory',
  table: 'directories',
  id: 'id',
  unique: [],
  rank: 6,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '0a9c4d52-8e7f-4a51-b4d0-4d1c2c3f5a66' },
    companyId,
    name: { kind: text(100), example: 'Okta' },
    kind: { kind: choice(['OKTA', 'ENTRA', 'GOOGLE', 'OTHER']), default: 'OTHER', example: 'OKTA' },
    connectionId: referenceWithinCompany('signInConnection', 'The sign-in connection of its people'),
    active: {
      kind: boolean,
      default: true,
      description: 'Whether its keys are accepted; what it gave stays',
      example: true,
    },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
  }),
} as const satisfies AuditedEntity;
