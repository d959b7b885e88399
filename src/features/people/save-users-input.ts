import { checkItems, checkValue, parseBody, repeatedValues, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { allOf, checkKnown, noProblems, type RawFields, valid } from '../../entities/check-fields.ts';
import { MAX_SAVED } from '../../entities/user.ts';
import { integer, uuid } from '../../entities/values.ts';
import { NEW_PERSON_FIELDS } from './person-service.ts';
import { checkNewUser, checkUserUpdate, type NewUser, type UserUpdate, writableBy } from './users-input.ts';

/** People to add to a company, and people to change. */
export interface SavedUsers {
  companyId: string;
  create: readonly NewUser[];
  update: readonly UserUpdate[];
  /** How many may stop working through it; absent: all. */
  maxLeavers?: number;
}

/** Reads the body of a save. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readSavedUsers(raw: unknown, caller: Caller | KeyCaller): SavedUsers {
  const given = parseBody(raw);
  const companyId = checkValue('companyId', uuid, given.companyId);
  const maxLeavers =
    given.maxLeavers === undefined ? valid(undefined) : checkValue('maxLeavers', integer(0), given.maxLeavers);
  const lists = checkLists(given);
  const names = writableBy(caller, NEW_PERSON_FIELDS);
  const create = checkItems('create', lists.create, (item) => checkNewUser(names, item));
  const update = checkItems('update', lists.update, (item) => checkUserUpdate(item, caller));
  const [company, most, , created, updated] = validOrThrow(
    allOf(
      companyId,
      maxLeavers,
      noProblems(...lists.problems),
      create,
      update,
      checkKnown(given, ['companyId', 'maxLeavers', 'create', 'update']),
    ),
  );
  throwIfInvalid([
    ...repeatedValues('create', 'id', created),
    ...repeatedValues('create', 'email', created, ({ email }) => email.toLowerCase()),
    ...repeatedValues('update', 'id', updated),
  ]);
  const people = created.map((one) => ({ ...one, companyId: company }));
  return { companyId: company, create: people, update: updated, ...(most !== undefined && { maxLeavers: most }) };
}

/** Returns the two lists, both empty where they have too many items together. */
function checkLists(given: RawFields): { create: unknown[]; update: unknown[]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const [create = [], update = []] = (['create', 'update'] as const).map((field): unknown[] => {
    const list = given[field] === undefined ? [] : given[field];
    if (Array.isArray(list)) return list;
    problems.push(problemOf(field, 'INVALID_TYPE', 'must be a list'));
    return [];
  });
  const count = create.length + update.length;
  if (problems.length === 0 && (count === 0 || count > MAX_SAVED)) {
    const message = `create and update must have 1 to ${MAX_SAVED} people together.`;
    const field = update.length > MAX_SAVED && create.length <= MAX_SAVED ? 'update' : 'create';
    problems.push({ field, code: count === 0 ? 'REQUIRED' : 'OUT_OF_RANGE', message });
  }
  return count > MAX_SAVED ? { create: [], update: [], problems } : { create, update, problems };
}
