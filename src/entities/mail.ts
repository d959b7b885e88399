import { company } from './company.ts';
import { type AuditedEntity, referenceTo, withColumns } from './entity.ts';
import { user } from './user.ts';
import { choice, text, timestamp, uuid } from './values.ts';

export const MAIL_KINDS = [
  'INVITATION',
  'ADDED',
  'SUBSTITUTE',
  'KEY_EXPIRES',
  'WEBHOOK_OFF',
  'DIRECTORY_REFUSED',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_STATES = ['QUEUED', 'SENT', 'FAILED', 'DROPPED', 'LEFT'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Languages of the texts: those of the console. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** A mail to a person: why, not what; its text and address are read when it is sent. */
export const mail = {
  name: 'mail',
  noun: 'mail',
  table: 'mails',
  id: 'id',
  unique: [],
  rank: 8,
  rights: { update: ['status', 'attempts', 'next_try_at', 'error', 'sent_at'] },
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, description: 'Also in the Message-ID', example: '4f6c2d1e-8b3a-4e57-9c08-1a2b3c4d5e6f' },
    companyId: referenceTo('company', 'The company it is about; null: the platform', company.fields.id.example),
    userId: { kind: uuid, references: 'user', description: 'Who gets it', example: user.fields.id.example },
    kind: { kind: choice(MAIL_KINDS, 'MailKind'), example: 'INVITATION' },
    subjectId: {
      kind: text(100),
      nullable: true,
      description: 'Id of what it is about: a person, substitution, API key or webhook',
      example: user.fields.id.example,
    },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
  }),
} as const satisfies AuditedEntity;
