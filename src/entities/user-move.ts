import { band } from './band.ts';
import { companyId, department } from './department.ts';
import { type AuditedEntity, withColumns } from './entity.ts';
import { userId } from './held-role.ts';
import { choice, text, timestamp, uuid } from './values.ts';

/** People whom one request asks for, or decides on. */
export const MAX_MOVES = 1000;
/** Days for which a move stays open. */
export const MOVE_DAYS = 30;

export const MOVE_STATES = ['OPEN', 'AGREED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

const inNewCompany = { kind: uuid, nullable: true, ofSameCompany: true, outlivesTarget: true } as const;

/** The move of a person to another company, for which that company has asked. */
export const userMove = {
  name: 'userMove',
  noun: 'move',
  table: 'user_moves',
  id: 'id',
  unique: [],
  auditSubject: { user: 'userId', company: 'companyId' },
  rights: { update: ['status', 'decided_at'] },
  fields: withColumns({
    id: { kind: uuid, example: '7c2f4b1e-9a35-4d62-8f10-6b5e4d3c2a19' },
    companyId: { ...companyId, description: 'The company that asks' },
    userId,
    fromCompanyId: { kind: uuid, references: 'company', retention: 'none', example: companyId.example },
    askedFor: {
      kind: text(254),
      retention: 'personal',
      description: 'The id or e-mail address by which the company asked',
      example: 'asha@acme.example',
    },
    departmentId: {
      ...inNewCompany,
      references: 'department',
      description: 'In the new company; null: its default',
      example: department.fields.id.example,
    },
    bandId: {
      ...inNewCompany,
      references: 'band',
      description: 'In the new company; null: its default',
      example: band.fields.id.example,
    },
    status: {
      kind: choice(MOVE_STATES),
      default: 'OPEN',
      description: `An open one expires after ${MOVE_DAYS} days`,
      example: 'OPEN',
    },
    requestedAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
    decidedAt: { kind: timestamp, nullable: true, example: null },
  }),
} as const satisfies AuditedEntity;
