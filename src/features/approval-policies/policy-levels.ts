import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { changedFields, checkItems, checkOptional, repeatedValues, throwIfInvalid } from '../../api/body.ts';
import type { Parts } from '../../api/crud.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { approvalPolicyLevel } from '../../entities/approval-policy.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { type FieldProblem, problemOf } from '../../entities/field-problem.ts';
import { cents } from '../../entities/money.ts';
import type { ApprovalPolicyDetail } from './approval-policies-schemas.ts';

const LEVEL_FIELDS = ['level', 'roleRequired', 'minAmount'] as const;
/** A level without its id and policy. */
type LevelContent = RowOf<typeof approvalPolicyLevel, (typeof LEVEL_FIELDS)[number]>;
/** A level in a request. */
export type GivenLevel = LevelContent & { id?: string | undefined };

const MAX_LEVELS = 20;

const insert = auditedInsert(approvalPolicyLevel);
const update = auditedUpdate(approvalPolicyLevel, LEVEL_FIELDS);
const remove = auditedDelete(approvalPolicyLevel);

/** Checks the complete levels of a request: no level twice, and amounts that do not fall from one level to the next. */
export function checkLevels(given: unknown, isNew: boolean): Checked<readonly GivenLevel[]> {
  if (given === undefined) return valid([]);
  if (!Array.isArray(given)) return invalid(problemOf('levels', 'INVALID_TYPE', 'must be a list'));
  if (given.length > MAX_LEVELS)
    return invalid(problemOf('levels', 'TOO_LONG', `must have at most ${MAX_LEVELS} levels`));
  const checked = checkItems('levels', given, (item) => checkLevel(item, isNew));
  if (!checked.ok) return checked;
  return mapValid(noProblems(...togetherWrong(checked.value)), () => checked.value);
}

function checkLevel(given: RawFields, isNew: boolean): Checked<GivenLevel> {
  const known = isNew ? LEVEL_FIELDS : (['id', ...LEVEL_FIELDS] as const);
  const checked = allOf(
    isNew ? valid(undefined) : checkOptional('id', approvalPolicyLevel.fields.id.kind, given),
    checkNewRow(approvalPolicyLevel, LEVEL_FIELDS, given),
    checkKnown(given, known),
  );
  return mapValid(checked, ([id, content]) => ({ ...content, id }));
}

function togetherWrong(levels: readonly GivenLevel[]): FieldProblem[] {
  const problems = (['level', 'id'] as const).flatMap((name) => {
    const values = levels.map((level) => level[name]);
    return repeatedValues('levels', name, values);
  });
  const ascending = levels.map((level, place) => ({ ...level, place })).sort((a, b) => a.level - b.level);
  for (const [index, { minAmount, place }] of ascending.entries()) {
    const before = ascending[index - 1];
    if (before === undefined || cents(minAmount) >= cents(before.minAmount)) continue;
    const expected = `must be at least ${before.minAmount}, that of level ${before.level}`;
    problems.push(problemOf(`levels[${place}].minAmount`, 'OUT_OF_RANGE', expected));
  }
  return problems;
}

/** The levels as parts of their policy: those sent with an id keep it, and so do those with unchanged content. */
export const policyLevels: Parts<ApprovalPolicyDetail, GivenLevel> = {
  areSame(given, { levels }) {
    const ascending = [...given].sort((a, b) => a.level - b.level);
    return isDeepStrictEqual(ascending.map(contentOf), levels.map(contentOf));
  },

  async replace(transaction, policyId, present, wanted, actor) {
    const stored = present?.levels ?? [];
    const unknown = wanted.flatMap(({ id }, place) =>
      id === undefined || stored.some((level) => level.id === id)
        ? []
        : [problemOf(`levels[${place}].id`, 'INVALID_VALUE', 'must be the id of a level of this policy')],
    );
    throwIfInvalid(unknown);
    const named = new Set(wanted.map(({ id }) => id));
    const free = stored.filter(({ id }) => !named.has(id));
    const kept = wanted.map((level): GivenLevel => {
      const same = free.find((one) => isDeepStrictEqual(contentOf(one), contentOf(level)));
      return level.id === undefined ? { ...level, id: same?.id } : level;
    });
    const keptIds = new Set(kept.map(({ id }) => id));
    const gone = stored.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id);
    // Two levels may swap their numbers.
    await transaction.query(sql`set constraints approval_policy_levels_policy_id_level_key deferred`);
    if (gone.length > 0) await write(transaction, remove(gone, actor));
    for (const { id, ...content } of kept) {
      const level = stored.find((one) => one.id === id);
      const patch = level && changedFields(content, level);
      if (id === undefined || patch === undefined || Object.keys(patch).length === 0) continue;
      await write(transaction, update({ id, patch, actor }));
    }
    const added = kept.filter(({ id }) => id === undefined);
    const rows = added.map((level) => ({ ...contentOf(level), id: null, policyId }));
    if (rows.length > 0) await write(transaction, insert(rows, actor));
  },

  async removeAll(transaction, { levels }, actor) {
    const ids = levels.map(({ id }) => id);
    if (ids.length > 0) await write(transaction, remove(ids, actor));
  },
};

function contentOf({ level, roleRequired, minAmount }: LevelContent): LevelContent {
  return { level, roleRequired, minAmount };
}
