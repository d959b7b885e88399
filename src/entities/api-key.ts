import { company } from './company.ts';
import { type AuditedEntity, referenceTo, withColumns } from './entity.ts';
import { user } from './user.ts';
import { text, timestamp, uuid } from './values.ts';

/** Permissions of a key. */
export const SCOPES = [
  'users.read',
  'users.write',
  'policies.evaluate',
  'departments.read',
  'organization.write',
  'companies.read',
  'companies.write',
  'events.read',
  'bookings.read',
  'bookings.write',
  'webhooks.manage',
  'scim',
  'travellers.read',
  'travellers.documents',
  'travellers.emergency',
] as const;

/** Maximum number of valid keys of a company. */
export const MAX_COMPANY_KEYS = 50;

export type Scope = (typeof SCOPES)[number];

/** A key with which another system calls the service. */
export const apiKey = {
  name: 'apiKey',
  noun: 'API key',
  table: 'api_keys',
  id: 'id',
  unique: [],
  rank: 7,
  rights: { update: ['last_used_at', 'revoked_at', 'confirmed_by', 'expires_at', 'directory_id'], keeps: true },
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '9c1d3a52-6b7e-4f80-8d21-3e4f5a6b7c8d' },
    companyId: referenceTo(
      'company',
      'The company whose data the key can access; null: all active companies',
      company.fields.id.example,
    ),
    name: { kind: text(100), example: 'Booking engine' },
    scopes: {
      kind: text(500),
      rows: { table: 'api_key_scopes', of: 'api_key_id', value: 'scope' },
      example: 'users.read policies.evaluate',
    },
    prefix: { kind: text(12), description: 'The first characters of the key', example: 'odk_8Jq2vXbT' },
    hash: { kind: text(64), retention: 'none' },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
    createdBy: referenceTo(
      'user',
      'The person who created it; null if created at the command line',
      user.fields.id.example,
    ),
    confirmedBy: referenceTo(
      'user',
      'The administrator who confirmed it after its creator had lost the right to create it',
    ),
    expiresAt: { kind: timestamp, nullable: true, example: '2027-01-31T00:00:00.000Z' },
    revokedAt: { kind: timestamp, nullable: true, example: null },
    directoryId: referenceTo(
      'directory',
      'The directory of a key for SCIM; omitted: a new one with the id and name of the key',
    ),
  }),
} as const satisfies AuditedEntity;
