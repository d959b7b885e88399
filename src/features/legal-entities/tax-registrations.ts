import { isDeepStrictEqual } from 'node:util';
import { checkVAT, countries } from 'jsvat';
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
    return mapValid(noProblems(...wrongNumber(content)), () => ({ ...content, id }));
  });
  if (!checked.ok) return checked;
  const list = withDefault(checked.value);
  return mapValid(noProblems(...wrongTogether(list)), () => list);
}

/** Returns a number without the signs that people put into it, of a VAT with the letters of the country: Greece has EL. */
function plainNumber(type: unknown, number: string, country: unknown): string {
  if (type !== 'VAT') return number.replace(/[\s./]/g, '');
  const plain = number.replace(/[\s./-]/g, '').toUpperCase();
  const code = typeof country === 'string' ? country.trim().toUpperCase() : '';
  const prefix = code === 'GR' ? 'EL' : code;
  const bare = code === 'GR' && plain.startsWith('GR') ? plain.slice(2) : plain;
  const isWhole = bare.startsWith(prefix) || (code === 'GB' && bare.startsWith('XI'));
  // One that begins as those of another country has no letters of its own to add.
  return isWhole || !hasVat(code) || hasVat(bare.slice(0, 2)) ? bare : prefix + bare;
}

const hasVat = (code: string) => countries.some(({ codes }) => codes[0] === code);

function wrongNumber({ type, number, countryCode, validFrom, validUntil }: Content): FieldProblem[] {
  const wrong = (expected: string) => [problemOf('number', 'INVALID_VALUE', `must be ${expected}`)];
  if (validFrom && validUntil && validUntil < validFrom) {
    return [problemOf('validUntil', 'OUT_OF_RANGE', `must not be before the first day, ${validFrom}`)];
  }
  if (type === 'GSTIN' && countryCode !== 'IN') {
    return [problemOf('countryCode', 'INVALID_VALUE', 'must be IN for a GSTIN')];
  }
  // Whether the rest is right, the kind of the field has checked.
  if (type === 'GSTIN' && !/^\d\d(?=\d{0,4}[A-Z])[A-Z\d]{13}$/i.test(number))
    return wrong('a GSTIN such as 27AAPFU0939F1ZV');
  if (type === 'EIN' && (countryCode !== 'US' || !/^\d{2}-?\d{7}$/.test(number))) {
    return wrong('an EIN of the US such as 12-3456789');
  }
  if (type !== 'VAT' || !hasVat(countryCode)) return [];
  const asked = number.replace(/^XI/, 'GB');
  const { isValid, country } = checkVAT(asked, [...countries]);
  return isValid && country?.isoCode.short === countryCode
    ? []
    : wrong(`a VAT number of ${countryCode}, with its check digits`);
}

/** Returns registrations of which one is the default: the first, where none is said to be. */
function withDefault(list: readonly GivenRegistration[]): GivenRegistration[] {
  const isNamed = list.some((each) => each.default);
  return list.map((each, at) => ({ ...each, default: isNamed ? each.default : at === 0 }));
}

/** The part of a GSTIN that is the PAN of the taxpayer; null for those of others. */
const panOf = ({ type, number }: Content) =>
  type === 'GSTIN' && /^\d\d[A-Z]{4}[A-Z\d]\d{4}[A-Z]/i.test(number) ? number.slice(2, 12).toUpperCase() : null;

function wrongTogether(list: readonly GivenRegistration[]): FieldProblem[] {
  const pan = list.map(panOf).find((each) => each !== null);
  const at = (index: number, field: string) => `${LIST}[${index}].${field}`;
  return [
    ...repeatedValues(
      LIST,
      'id',
      list.map(({ id }) => id),
    ),
    ...repeatedValues(
      LIST,
      'number',
      list.map(({ number, validFrom }) => `${number.toUpperCase()} ${validFrom ?? ''}`),
    ),
    ...list.flatMap((each, index) => {
      const own = panOf(each);
      if (own === null || own === pan) return [];
      return [problemOf(at(index, 'number'), 'INVALID_VALUE', `must have the PAN of the others, ${pan}`)];
    }),
    ...list.flatMap((each, index) =>
      each.default && list.findIndex((other) => other.default) !== index
        ? [problemOf(at(index, 'default'), 'DUPLICATE', 'must be true for one registration alone')]
        : [],
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
  const problems = list.flatMap(({ type, number, stateId }, index) => {
    const own = type === 'GSTIN' ? states.get(number) : null;
    if (!own || stateId === null || stateId === own) return [];
    const expected = `must be ${own}, the state of the code ${number.slice(0, 2)}`;
    return [problemOf(`${LIST}[${index}].stateId`, 'INVALID_VALUE', expected)];
  });
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
