import { SHOWN_DIGITS, TRAVELLER_GROUPS } from '../../entities/traveller.ts';
import { fold } from '../../lib/text-folding.ts';
import type { ProfileKeys } from './sealed-numbers.ts';
import type { TravellerRow } from './traveller-queries.ts';
import type { TravellerView } from './traveller-schemas.ts';

/** What a caller sees of a traveller besides names, preferences, and documents with the end of their numbers. */
export interface Sight {
  /** Undefined: no whole numbers. */
  keys?: ProfileKeys | undefined;
  seesEmergency: boolean;
}

/** Months before the end of a document in which it is warned of. */
const MONTHS = 6;

/** Returns a traveller as a caller sees them. */
export function travellerView(row: TravellerRow, { keys, seesEmergency }: Sight): TravellerView {
  const { person, traveller, documents, programmes, arrangers } = row;
  const stored: Readonly<Record<string, unknown>> = traveller ?? {};
  const groups = Object.entries(TRAVELLER_GROUPS).map(([group, names]) => {
    const values = Object.entries(names).map(([name, field]) => [name, shown(name, stored[field])]);
    const isEmpty = Object.values(names).every((field) => (stored[field] ?? null) === null);
    return [group, isEmpty || (group === 'emergencyContact' && !seesEmergency) ? null : Object.fromEntries(values)];
  });
  const items = <Item extends { userId: string; number: string }>(list: readonly Item[]) =>
    list.map(({ userId, number, ...item }) => ({ ...item, number: keys ? keys.open(number, userId) : null }));
  return {
    id: person.id,
    ...Object.fromEntries(groups),
    title: traveller?.title ?? null,
    documentGender: traveller?.documentGender ?? null,
    nationality: traveller?.nationality ?? null,
    homeAirport: traveller?.homeAirport ?? null,
    language: traveller?.language ?? null,
    timeZone: traveller?.timeZone ?? null,
    documents: items(documents),
    programmes: items(programmes),
    arrangers: arrangers.map(({ arrangerId, firstName, lastName, until, may }) => {
      return { userId: arrangerId, firstName, lastName, until, may };
    }),
    warnings: warningsOf(row),
  };
}

function shown(name: string, value: unknown): unknown {
  if (name !== 'accessibility') return value ?? null;
  return typeof value === 'string' ? value.split(' ') : [];
}

/** Returns the last characters of a number. */
export function endOf(number: string): string {
  return [...number].slice(-SHOWN_DIGITS).join('');
}

/** Returns what may keep somebody from travelling; it refuses nothing. */
function warningsOf({ person, traveller, documents }: TravellerRow): TravellerView['warnings'] {
  const limit = new Date();
  limit.setUTCMonth(limit.getUTCMonth() + MONTHS);
  const soon = limit.toISOString().slice(0, 10);
  const ending = documents.flatMap(({ type, expiresOn }, index) => {
    if (expiresOn === null || expiresOn > soon) return [];
    const message = `The document ${type} ends on ${expiresOn}.`;
    return [{ code: 'DOCUMENT_ENDS_SOON', field: `documents[${index}].expiresOn`, message }];
  });
  const { legalGiven, legalFamily } = traveller ?? {};
  if (!legalGiven || !legalFamily) return ending;
  const sorted = (...names: string[]) =>
    names
      .flatMap((name) => fold(name).split(/[\s-]+/))
      .sort()
      .join(' ');
  if (sorted(legalGiven, legalFamily) === sorted(person.firstName, person.lastName)) return ending;
  const message = 'The legal name differs from the first and last name.';
  return [...ending, { code: 'LEGAL_NAME_DIFFERS', field: 'legalName', message }];
}
