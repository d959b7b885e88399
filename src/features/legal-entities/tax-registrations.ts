import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { changedFields, checkItems, checkOptional, repeatedValues, throwIfInvalid } from '../../api/body.ts';
import type { Parts } from '../../api/crud.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Transaction } from '../../db/database.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  invalid,
  mapValid,
  noProblems,
  valid,
} from '../../entities/check-fields.ts';
import { fieldsBut, type RowOf } from '../../entities/entity.ts';
import { MAX_REGISTRATIONS, taxRegistration } from '../../entities/legal-entity.ts';
import { faultsTogether, numberFaults, plainNumber, stateFaults } from '../../entities/tax-numbers.ts';
import { uuid } from '../../entities/values.ts';
import type { LegalEntityView } from './legal-entities-schemas.ts';

export const REGISTRATION_FIELDS = fieldsBut(taxRegistration, 'id', 'legalEntityId');
type Content = RowOf<typeof taxRegistration, (typeof REGISTRATION_FIELDS)[number]>;
/** A registration in a request. */
export type GivenRegistration = Content & { id?: string | undefined };

const insert = auditedInsert(taxRegistration);
const update = auditedUpdate(taxRegistration, REGISTRATION_FIELDS);
const remove = auditedDelete(taxRegistration);

const LIST = 'taxRegistrations';

/** Checks the complete registrations of a request: the form of each number, and what they are together. */
export function checkRegistrations(given: unknown): Checked<readonly GivenRegistration[] | undefined> {
  if (given === undefined) return valid(undefined);
  if (!Array.isArray(given)) return invalid(problemOf(LIST, 'INVALID_TYPE', 'must be a list'));
  if (given.length > MAX_REGISTRATIONS) {
    return invalid(problemOf(LIST, 'TOO_LONG', `must have at most ${MAX_REGISTRATIONS} items`));
  }
  const checked = checkItems(LIST, given, (item): Checked<GivenRegistration> => {
    const number =
      typeof item.number === 'string' ? plainNumber(item.type, item.number, item.countryCode) : item.number;
    const row = checkNewRow(taxRegistration, REGISTRATION_FIELDS, { ...item, number });
    const all = allOf(
      checkOptional('id', uuid, item),
      mapValid(row, (content) => content as Content),
      checkKnown(item, ['id', ...REGISTRATION_FIELDS]),
    );
    if (!all.ok) return all;
    const [id, content] = all.value;
    const wrong = numberFaults(content).map(({ field, code, predicate }) => problemOf(field, code, predicate));
    return mapValid(noProblems(...wrong), () => ({ ...content, id }));
  });
  if (!checked.ok) return checked;
  const list = withDefault(checked.value);
  return mapValid(noProblems(...wrongTogether(list)), () => list);
}

/** Returns registrations of which one is the default: the first, where none is said to be. */
function withDefault(list: readonly GivenRegistration[]): GivenRegistration[] {
  const isNamed = list.some((each) => each.default);
  return list.map((each, at) => ({ ...each, default: isNamed ? each.default : at === 0 }));
}

function wrongTogether(list: readonly GivenRegistration[]): FieldProblem[] {
  const fromThenOn = ({ number, validFrom }: GivenRegistration) => `${number.toUpperCase()} ${validFrom ?? ''}`;
  return [
    ...repeatedValues(LIST, 'id', list),
    ...repeatedValues(LIST, 'number', list, fromThenOn),
    ...faultsTogether(list).map(({ at, ...fault }) =>
      problemOf(`${LIST}[${at}].${fault.field}`, fault.code, fault.predicate),
    ),
  ];
}

/** Returns registrations with the states of their GSTINs. @throws ApiError `INVALID_INPUT` for one with the code of another state */
async function withStates(transaction: Transaction, list: readonly GivenRegistration[]): Promise<GivenRegistration[]> {
  const gstins = list.filter(({ type }) => type === 'GSTIN').map(({ number }) => number);
  if (gstins.length === 0) return [...list];
  const found = await transaction.query<{ number: string; stateId: number | null }>(sql`
    select number, state_of_gstin(number) as "stateId"
      from json_array_elements_text(${JSON.stringify(gstins)}::text::json) each (number)`);
  const states = new Map(found.map(({ number, stateId }) => [number, stateId]));
  const problems = list.flatMap((each, index) =>
    stateFaults(each, states.get(each.number)).map(({ field, code, predicate }) =>
      problemOf(`${LIST}[${index}].${field}`, code, predicate),
    ),
  );
  throwIfInvalid(problems);
  return list.map((each) => ({
    ...each,
    stateId: each.stateId ?? (each.type === 'GSTIN' ? (states.get(each.number) ?? null) : null),
  }));
}

/** The registrations as parts of their legal entity: those sent with an id keep it, and so do those with the same number. */
export const taxRegistrations: Parts<LegalEntityView, GivenRegistration> = {
  areSame(given, view) {
    const without = (list: readonly GivenRegistration[]) =>
      list.map((each) => ({ ...contentOf(each), stateId: each.type === 'GSTIN' ? null : each.stateId })).sort(byNumber);
    return isDeepStrictEqual(without(given), without(view.taxRegistrations));
  },

  async replace(transaction, legalEntityId, present, given, actor) {
    const stored = present?.taxRegistrations ?? [];
    const isUnknown = ({ id }: GivenRegistration) => id !== undefined && !stored.some((each) => each.id === id);
    throwIfInvalid(
      given.flatMap((each, at) =>
        present && isUnknown(each)
          ? [problemOf(`${LIST}[${at}].id`, 'INVALID_VALUE', 'must be the id of a registration of this legal entity')]
          : [],
      ),
    );
    const named = new Set(given.map(({ id }) => id));
    const wanted = (await withStates(transaction, given)).map((each): GivenRegistration => {
      const same = stored.find(
        ({ id, number }) => !named.has(id) && number.toUpperCase() === each.number.toUpperCase(),
      );
      return { ...each, id: each.id ?? same?.id };
    });
    const gone = stored.filter(({ id }) => !wanted.some((each) => each.id === id)).map(({ id }) => id);
    if (gone.length > 0) await write(transaction, remove(gone, actor));
    for (const { id, ...content } of wanted) {
      const row = stored.find((each) => each.id === id);
      const patch = row && changedFields(content, row);
      if (id !== undefined && patch && Object.keys(patch).length > 0)
        await write(transaction, update({ id, patch, actor }));
    }
    const added = wanted.filter(({ id }) => !stored.some((each) => each.id === id));
    const rows = added.map((each) => ({ ...contentOf(each), id: each.id ?? crypto.randomUUID(), legalEntityId }));
    if (rows.length > 0) await write(transaction, insert(rows, actor));
  },

  async removeAll(transaction, { taxRegistrations: list }, actor) {
    const ids = list.map(({ id }) => id);
    if (ids.length > 0) await write(transaction, remove(ids, actor));
  },
};

function contentOf(each: Content): Content {
  return Object.fromEntries(REGISTRATION_FIELDS.map((name) => [name, each[name] ?? null])) as Content;
}

const byNumber = (one: Content, other: Content) => (one.number < other.number ? -1 : 1);
