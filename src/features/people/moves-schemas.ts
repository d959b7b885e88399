import { type Static, Type } from 'typebox';
import { checkOptional, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { companyIdParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { problemOf } from '../../entities/api-error.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import { answeredFields, givenFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { MAX_MOVES, MOVE_STATES, userMove } from '../../entities/user-move.ts';
import { email, uuid, type ValueKind } from '../../entities/values.ts';

const list = (items: object, description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string[]>({ type: 'array', items, maxItems: MAX_MOVES, description, examples: [[example]] }),
  );

export const MoveRequestInput = Type.Object({
  ...givenFields(userMove, ['companyId']),
  userIds: list({ type: 'string', format: 'uuid' }, 'The people, by their ids', user.fields.id.example),
  emails: list({ type: 'string', maxLength: 254 }, 'The people, by their e-mail addresses', user.fields.email.example),
  departmentId: optional.id('Of the new company; omitted: its default', userMove.fields.departmentId.example),
  bandId: optional.id('Of the new company; omitted: its default', userMove.fields.bandId.example),
});

/** Whom a company asks for, and what they get there. */
export interface MoveRequest {
  companyId: string;
  userIds: readonly string[];
  emails: readonly string[];
  departmentId?: string | undefined;
  bandId?: string | undefined;
}

/** Reads the body of a request for people. @throws ApiError `INVALID_INPUT` */
export function readMoveRequest(raw: unknown): MoveRequest {
  const given = parseBody(raw);
  const [companyId, userIds, emails, departmentId, bandId] = validOrThrow(
    allOf(
      checkValue('companyId', uuid, given.companyId),
      checkList('userIds', uuid, given),
      checkList('emails', email, given),
      checkOptional('departmentId', uuid, given),
      checkOptional('bandId', uuid, given),
      checkKnown(given, Object.keys(MoveRequestInput.properties)),
    ),
  );
  const count = userIds.length + emails.length;
  const problem = problemOf(
    'userIds',
    count === 0 ? 'REQUIRED' : 'TOO_LONG',
    `must have 1 to ${MAX_MOVES} people with emails`,
  );
  validOrThrow(count === 0 || count > MAX_MOVES ? invalid(problem) : valid(null));
  return { companyId, userIds, emails, departmentId, bandId };
}

export const MoveIdsInput = Type.Object({
  ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MAX_MOVES,
    description: 'Of the moves',
    examples: [[userMove.fields.id.example]],
  }),
});

/** Reads the body of a decision. @throws ApiError `INVALID_INPUT` */
export function readMoveIds(raw: unknown): { ids: string[] } {
  const given = parseBody(raw);
  const [ids] = validOrThrow(
    allOf(
      given.ids === undefined ? invalid(problemOf('ids', 'REQUIRED', 'is required')) : checkList('ids', uuid, given),
      checkKnown(given, ['ids']),
    ),
  );
  validOrThrow(ids.length === 0 ? invalid(problemOf('ids', 'TOO_SHORT', 'must have at least one id')) : valid(null));
  return { ids };
}

/** Checks a list of texts; without repetitions. */
function checkList(field: string, kind: ValueKind<string>, { [field]: sent = [] }: RawFields): Checked<string[]> {
  if (!Array.isArray(sent)) return invalid(problemOf(field, 'INVALID_TYPE', 'must be a list of texts'));
  if (sent.length > MAX_MOVES) return invalid(problemOf(field, 'TOO_LONG', `must have at most ${MAX_MOVES} items`));
  const checked = sent.map((one, index) => checkValue(`${field}[${index}]`, kind, one));
  const problems = checked.flatMap((each) => (each.ok ? [] : each.problems));
  return mapValid(noProblems(...problems), () => [
    ...new Set(checked.flatMap((each) => (each.ok ? [each.value.toLowerCase()] : []))),
  ]);
}

export const MoveListInput = Type.Object({
  companyId: companyIdParameter,
  status: optional.text({ enum: [...MOVE_STATES], description: 'Only moves in this state' }),
  ...pageParameters(100),
});
export type MoveListInput = Static<typeof MoveListInput>;

const UNTIL_AGREED = 'null to the new company until it is agreed';
const companyView = Type.Object(answeredFields(company, ['id', 'name']));
const personView = Type.Object(answeredFields(user, ['id', 'email', 'firstName', 'lastName']), {
  description: UNTIL_AGREED,
});

export const MoveView = titled('Move', {
  ...answeredFields(userMove, ['id', 'companyId', 'askedFor', 'departmentId', 'bandId', 'status', 'requestedAt']),
  expiresAt: Type.String({ format: 'date-time', examples: ['2026-03-02T09:30:00.000Z'] }),
  decidedAt: answeredFields(userMove, ['decidedAt']).decidedAt,
  company: companyView,
  fromCompany: nullable<Static<typeof companyView>>({ ...companyView, description: UNTIL_AGREED }),
  user: nullable<Static<typeof personView>>(personView),
  mayDecide: Type.Boolean({ description: 'Whether the caller may agree or decline', examples: [true] }),
});
export type MoveView = Static<typeof MoveView>;

const MoveResult = titled('MoveResult', {
  id: textOrNull({
    format: 'uuid',
    description: 'Of the move; null: there is none',
    examples: [userMove.fields.id.example],
  }),
  askedFor: textOrNull({ description: 'As in the request', examples: ['asha@acme.example'] }),
  status: Type.String({ enum: [...MOVE_STATES, 'REFUSED'], examples: ['OPEN'] }),
  code: textOrNull({ description: 'Why it was refused; null: it was not', examples: [null] }),
  message: textOrNull({ examples: [null] }),
});
export type MoveResult = Static<typeof MoveResult>;

export const MoveResults = titled('MoveResults', {
  results: Type.Array(MoveResult, { description: 'One for each person, in the order of the request' }),
});
export type MoveResults = Static<typeof MoveResults>;
