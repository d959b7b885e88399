import { type Static, Type } from 'typebox';
import { pageParameters } from '../../api/pagination.ts';
import { answeredFields, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { MAIL_STATES, mail } from '../../entities/mail.ts';
import { user } from '../../entities/user.ts';

export const MailListInput = Type.Object({
  companyId: optional.id(
    'Only mails about this company; omitted: all, for Super Admins only',
    mail.fields.companyId.example,
  ),
  userId: optional.id('Only mails to this person', mail.fields.userId.example),
  status: optional.text({ enum: [...MAIL_STATES], description: 'Only mails in this state', examples: ['FAILED'] }),
  ...pageParameters(100),
});

export const InviteInput = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of the person', examples: [user.fields.id.example] }),
});

const timeOrNull = (description: string, example: string | null) =>
  textOrNull({ format: 'date-time', description, examples: [example] });

export const SHOWN_FIELDS = ['id', 'companyId', 'userId', 'kind', 'subjectId', 'createdAt'] as const;

export const MailView = titled('Mail', {
  ...answeredFields(mail, SHOWN_FIELDS),
  name: Type.String({ description: 'Of who gets it', examples: ['Asha Rao'] }),
  status: Type.String({
    title: 'MailState',
    enum: [...MAIL_STATES],
    description: 'DROPPED: the person had left; LEFT: to whoever sends by themselves',
    examples: ['SENT'],
  }),
  attempts: Type.Integer({ examples: [1] }),
  nextAttemptAt: timeOrNull('Time of the next attempt; null: there is none', null),
  error: textOrNull({ description: 'Code of the last failure: of SMTP, or of the connection', examples: [null] }),
  sentAt: timeOrNull('When the server took it', '2026-01-31T09:30:00.000Z'),
  acceptedAt: timeOrNull('Of an invitation: the first sign-in since, of an account of an identity provider', null),
});
export type MailView = Static<typeof MailView>;
