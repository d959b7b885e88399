import { company } from './company.ts';
import { type AuditedEntity, referenceTo, withColumns } from './entity.ts';
import { boolean, text, timestamp, uuid } from './values.ts';

/** An endpoint that receives the changes of one company, or of all. */
export const webhook = {
  name: 'webhook',
  noun: 'webhook',
  table: 'webhooks',
  id: 'id',
  unique: [],
  title: ['description', 'url'],
  rank: 6,
  hasTimestamps: true,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '7e0f9d3a-2b4c-4d5e-9f60-7182939495a6' },
    companyId: referenceTo(
      'company',
      'The company whose changes are sent; null: all changes',
      company.fields.id.example,
    ),
    url: { kind: text(2000), example: 'https://hooks.acme.example/orgdesk' },
    entities: {
      kind: text(500),
      nullable: true,
      rows: { table: 'webhook_entities', of: 'webhook_id', value: 'entity' },
      example: 'user companyRole',
    },
    actions: { kind: text(100), nullable: true, example: 'added changed' },
    fields: { kind: text(5000), nullable: true, example: 'departmentId bandId' },
    headerNames: { kind: text(1500), nullable: true, description: 'Names of its own headers', example: 'x-team' },
    headersChangedAt: { kind: timestamp, nullable: true, example: null },
    description: { kind: text(500), nullable: true, example: 'HR mirror' },
    active: { kind: boolean, example: true },
    disabledReason: { kind: text(500), nullable: true, description: 'Why the service disabled it', example: null },
    secretRotatedAt: { kind: timestamp, nullable: true, example: null },
    keyId: referenceTo('apiKey', 'The API key that made it'),
    skippedChangeId: { kind: text(20), nullable: true, example: null },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
  }),
} as const satisfies AuditedEntity;
