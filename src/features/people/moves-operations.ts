import { LARGE_BODY, operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import {
  MoveIdsInput,
  MoveListInput,
  MoveRequestInput,
  MoveResults,
  MoveView,
  readMoveIds,
  readMoveRequest,
} from './moves-schemas.ts';
import { agreeMoves, endMoves, listMoves, requestMoves } from './moves-service.ts';

const common = { tag: 'People', access: administrators } as const;

const list = operation({
  ...common,
  id: 'users.moves',
  operationId: 'listMoves',
  summary: 'List moves between companies',
  description:
    'The people for whom a company has asked, and those of its own for whom others have, newest first. For Corporate Admins of ' +
    'either company, and for Super Admins.',
  input: MoveListInput,
  output: page(MoveView),
  message: 'Moves retrieved successfully',
  handle: ({ input, scope }, { db }: { db: Database }) => listMoves(db, scope, input, pageRequestOf(input)),
});

const request = operation({
  ...common,
  id: 'users.requestMove',
  operationId: 'requestMove',
  summary: 'Ask for people of other companies',
  description:
    'Asks the present companies of up to 1,000 people to let them move. Those whom the caller administers already move at once, for a ' +
    'Super Admin all. For people who are there or asked for already, nothing changes. An open move expires after 30 days. For Corporate Admins of the new ' +
    'company, and for Super Admins.',
  scope: 'users.write',
  writes: true,
  errors: ['NOT_FOUND', 'ERASED', 'PROTECTED_USER', 'LAST_ADMIN'],
  bodyLimit: LARGE_BODY,
  input: MoveRequestInput,
  parse: readMoveRequest,
  output: one(MoveResults),
  message: 'Moves requested successfully',
  handle: (call, { db }: { db: Database }) => requestMoves(db, call, call.input),
});

const deciding = {
  ...common,
  writes: true,
  errors: ['NOT_FOUND', 'OUTDATED', 'PROTECTED_USER', 'LAST_ADMIN', 'NOT_CONFIGURED'],
  bodyLimit: LARGE_BODY,
  input: MoveIdsInput,
  parse: readMoveIds,
  output: one(MoveResults),
} as const;

const agree = operation({
  ...deciding,
  id: 'users.agreeMove',
  operationId: 'agreeMove',
  summary: 'Agree to moves',
  description:
    'Moves people to the company that has asked for them, where they start as joiners. Roles, department, manager, directory links, ' +
    'external id and substitutions of the former company end; bookings, the trail and budgets stay there. For Corporate Admins of ' +
    'the present company, and for Super Admins.',
  message: 'Moves agreed successfully',
  handle: (call, { db }: { db: Database }) => agreeMoves(db, call, call.input.ids),
});

const decline = operation({
  ...deciding,
  id: 'users.declineMove',
  operationId: 'declineMove',
  summary: 'Decline moves',
  description: 'The people stay. For Corporate Admins of their company, and for Super Admins.',
  errors: ['NOT_FOUND', 'OUTDATED'],
  message: 'Moves declined successfully',
  handle: (call, { db }: { db: Database }) => endMoves(db, call, call.input.ids, 'DECLINED'),
});

const withdraw = operation({
  ...deciding,
  id: 'users.withdrawMove',
  operationId: 'withdrawMove',
  summary: 'Withdraw requests for people',
  description: 'Takes requests back. For Corporate Admins of the company that has asked, and for Super Admins.',
  errors: ['NOT_FOUND', 'OUTDATED'],
  message: 'Moves withdrawn successfully',
  handle: (call, { db }: { db: Database }) => endMoves(db, call, call.input.ids, 'WITHDRAWN'),
});

export const movesOperations = [list, request, agree, decline, withdraw];
