import { checkVAT, countries } from 'jsvat';
import type { FieldProblem } from './api-error.ts';
import type { RowOf } from './entity.ts';
import { withoutSigns } from './gstin.ts';
import type { taxRegistration } from './legal-entity.ts';

type Registration = Pick<
  RowOf<typeof taxRegistration>,
  'type' | 'number' | 'countryCode' | 'stateId' | 'validFrom' | 'validUntil' | 'default'
>;

/** What is wrong with a field of a registration: `must be …`. */
export interface Fault extends Pick<FieldProblem, 'code'> {
  field: keyof Registration;
  predicate: string;
}

/** Returns a number without the signs that people put into it, of a VAT with the letters of the country: Greece has EL. */
export function plainNumber(type: unknown, number: string, country: unknown): string {
  if (type !== 'VAT') return withoutSigns(number);
  const plain = withoutSigns(number).replaceAll('-', '').toUpperCase();
  const code = typeof country === 'string' ? country.trim().toUpperCase() : '';
  const prefix = code === 'GR' ? 'EL' : code;
  const bare = code === 'GR' && plain.startsWith('GR') ? plain.slice(2) : plain;
  const isWhole = bare.startsWith(prefix) || (code === 'GB' && bare.startsWith('XI'));
  // One that begins as those of another country has no letters of its own to add.
  return isWhole || !hasVat(code) || hasVat(bare.slice(0, 2)) ? bare : prefix + bare;
}

const hasVat = (code: string) => countries.some(({ codes }) => codes[0] === code);

/** Checks a number by its type and country, and its days. */
export function numberFaults({ type, number, countryCode, validFrom, validUntil }: Registration): Fault[] {
  const wrong = (expected: string): Fault[] => [
    { field: 'number', code: 'INVALID_VALUE', predicate: `must be ${expected}` },
  ];
  if (validFrom && validUntil && validUntil < validFrom) {
    const predicate = `must not be before the first day, ${validFrom}`;
    return [{ field: 'validUntil', code: 'OUT_OF_RANGE', predicate }];
  }
  if (type === 'GSTIN' && countryCode !== 'IN') {
    return [{ field: 'countryCode', code: 'INVALID_VALUE', predicate: 'must be IN for a GSTIN' }];
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

/** Checks the state of a GSTIN. @param own the state of its code; absent: it is that of no state */
export function stateFaults({ type, number, stateId }: Registration, own: number | null | undefined): Fault[] {
  if (type !== 'GSTIN' || !own || stateId === null || stateId === own) return [];
  const predicate = `must be ${own}, the state of the code ${number.slice(0, 2)}`;
  return [{ field: 'stateId', code: 'INVALID_VALUE', predicate }];
}

/** The part of a GSTIN that is the PAN of the taxpayer; null for those of others. */
const panOf = ({ type, number }: Registration) =>
  type === 'GSTIN' && /^\d\d[A-Z]{4}[A-Z\d]\d{4}[A-Z]/i.test(number) ? number.slice(2, 12).toUpperCase() : null;

/** Checks the registrations of a legal entity together: one PAN, one default. @returns faults with the index of each */
export function faultsTogether(list: readonly Registration[]): (Fault & { at: number })[] {
  const pan = list.map(panOf).find((each) => each !== null);
  const first = list.findIndex((each) => each.default);
  return [
    ...list.flatMap((each, at): (Fault & { at: number })[] => {
      const own = panOf(each);
      if (own === null || own === pan) return [];
      return [{ at, field: 'number', code: 'INVALID_VALUE', predicate: `must have the PAN of the others, ${pan}` }];
    }),
    ...list.flatMap((each, at): (Fault & { at: number })[] => {
      if (!each.default || at === first) return [];
      return [{ at, field: 'default', code: 'DUPLICATE', predicate: 'must be true for one registration alone' }];
    }),
  ];
}
