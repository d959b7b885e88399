import {
  checkItems,
  checkObject,
  checkOptional,
  checkValue,
  parseBody,
  repeatedValues,
  throwIfInvalid,
  validOrThrow,
} from '../../api/body.ts';
import { problemOf } from '../../entities/api-error.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { AuditedEntity, NewRowOf, RowOf } from '../../entities/entity.ts';
import {
  documentNumber,
  MAX_ARRANGERS,
  MAX_DOCUMENTS,
  MAX_PROGRAMMES,
  PLAIN_FIELDS,
  serviceCode,
  TRAVELLER_GROUPS,
  traveller,
  travellerArranger,
  travellerDocument,
  travellerProgramme,
} from '../../entities/traveller.ts';
import { uuid } from '../../entities/values.ts';
import { ARRANGER_FIELDS, DOCUMENT_FIELDS, MAX_CODES, PROGRAMME_FIELDS } from './traveller-schemas.ts';

type Patch = Partial<Omit<RowOf<typeof traveller>, 'id' | 'userId'>>;
/** A document or a programme as a request gives it. */
export type GivenItem<E extends AuditedEntity> = Omit<NewRowOf<E>, 'userId' | 'id' | 'number' | 'lastFour'> & {
  id: string | undefined;
  /** Undefined: it stays. */
  number: string | undefined;
};

/** A checked update; what is undefined stays. */
export interface TravellerUpdate {
  /** Undefined: the caller. */
  id: string | undefined;
  patch: Patch;
  documents: GivenItem<typeof travellerDocument>[] | undefined;
  programmes: GivenItem<typeof travellerProgramme>[] | undefined;
  arrangers: { arrangerId: string; until: string | null; may: string }[] | undefined;
}

const GROUPS = Object.keys(TRAVELLER_GROUPS) as (keyof typeof TRAVELLER_GROUPS)[];
const LISTS = ['documents', 'programmes', 'arrangers'];

/** Reads the body of users/update-traveller. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readTraveller(raw: unknown): TravellerUpdate {
  const given = parseBody(raw);
  const [id, plain, groups, documents, programmes, arrangers] = validOrThrow(
    allOf(
      checkOptional('id', uuid, given),
      checkPatch(traveller, PLAIN_FIELDS, given),
      allOf(...GROUPS.map((group) => checkGroup(group, given[group]))),
      checkList('documents', given, MAX_DOCUMENTS, (item) => checkItem(travellerDocument, DOCUMENT_FIELDS, item)),
      checkList('programmes', given, MAX_PROGRAMMES, (item) => checkItem(travellerProgramme, PROGRAMME_FIELDS, item)),
      checkList('arrangers', given, MAX_ARRANGERS, checkArranger),
      checkKnown(given, ['id', ...PLAIN_FIELDS, ...GROUPS, ...LISTS]),
    ),
  );
  throwIfInvalid([
    ...repeatedValues('documents', 'id', documents ?? []),
    ...repeatedValues('programmes', 'id', programmes ?? []),
    ...repeatedValues('arrangers', 'userId', arrangers ?? [], ({ arrangerId }) => arrangerId),
  ]);
  return { id, patch: Object.assign(plain, ...groups), documents, programmes, arrangers } as TravellerUpdate;
}

/** Checks an object of a traveller; null empties all its fields. */
function checkGroup(group: keyof typeof TRAVELLER_GROUPS, given: unknown): Checked<Patch> {
  if (given === undefined) return valid({});
  const names: Readonly<Record<string, keyof typeof traveller.fields>> = TRAVELLER_GROUPS[group];
  if (given === null) return valid(Object.fromEntries(Object.values(names).map((field) => [field, null])));
  const plain = Object.keys(names).filter((name) => name !== 'accessibility');
  const fields = Object.fromEntries(plain.map((name) => [name, traveller.fields[names[name] ?? 'title']]));
  const checked = checkObject(group, given, Object.keys(names), (values) =>
    allOf(checkPatch({ ...traveller, fields }, plain, values), checkCodes(values.accessibility)),
  );
  return mapValid(checked, ([values, codes]) => ({
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name], value])),
    ...(codes === undefined ? {} : { accessibility: codes }),
  }));
}

function checkCodes(given: unknown): Checked<string | null | undefined> {
  if (given === undefined) return valid(given);
  if (!Array.isArray(given) || given.length > MAX_CODES) {
    return invalid(problemOf('accessibility', 'INVALID_TYPE', `must be a list of at most ${MAX_CODES} codes`));
  }
  const codes = given.map((code, index) => checkValue(`accessibility[${index}]`, serviceCode, code));
  return mapValid(allOf(...codes), (each) => [...new Set(each)].join(' ') || null);
}

function checkList<Item>(
  name: string,
  given: RawFields,
  most: number,
  check: (item: RawFields) => Checked<Item>,
): Checked<Item[] | undefined> {
  const items = given[name];
  if (items === undefined) return valid(undefined);
  if (!Array.isArray(items)) return invalid(problemOf(name, 'INVALID_TYPE', 'must be a list'));
  if (items.length > most) return invalid(problemOf(name, 'TOO_LONG', `must have at most ${most} items`));
  return checkItems(name, items, check);
}

function checkItem<E extends typeof travellerDocument | typeof travellerProgramme>(
  entity: E,
  names: readonly (keyof E['fields'] & string)[],
  item: RawFields,
): Checked<GivenItem<E>> {
  const stays = item.number === undefined || item.number === null;
  const checked = allOf(
    checkOptional('id', uuid, item),
    checkNewRow(entity, names, item),
    stays && item.id !== undefined ? valid(undefined) : checkValue('number', documentNumber, item.number ?? undefined),
    checkKnown(item, ['id', ...names, 'number', 'lastFour']),
  );
  return mapValid(checked, ([id, row, number]) => ({ ...row, id, number }) as unknown as GivenItem<E>);
}

function checkArranger(item: RawFields): Checked<{ arrangerId: string; until: string | null; may: string }> {
  const checked = allOf(
    checkValue('userId', uuid, item.userId),
    checkNewRow(travellerArranger, ARRANGER_FIELDS, item),
    checkKnown(item, ['userId', ...ARRANGER_FIELDS, 'firstName', 'lastName']),
  );
  return mapValid(checked, ([arrangerId, { until, may }]) => ({ arrangerId, until: until ?? null, may }));
}
