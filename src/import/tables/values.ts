import { isCalendarDate } from '../../entities/dates.ts';
import { readAmount, type Separators } from '../../entities/money.ts';
import { COMPANY_ROLES, ROLE_NAMES } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { type ImportField, plainName } from './columns.ts';

/** How the values of a file are read. */
export interface ValueFormat {
  dates: DateFormat;
  /** The decimal separator of amounts; undefined: not chosen. */
  decimal: Decimal | undefined;
}

export type Decimal = '.' | ',';

/** Why a value cannot be sent: it is malformed, or a choice is missing. */
export type ValueFault =
  | 'date'
  | 'date-order'
  | 'date-era'
  | 'date-years'
  | 'number'
  | 'amount'
  | 'decimal'
  | 'role'
  | 'active'
  | 'client-type';

/** Returns whether a faulty value is left out, as the field only describes the person, and no choice settles it. */
export function isLeftOut(field: string, fault: ValueFault): boolean {
  return fault === 'date' && (user.fields as Readonly<Record<string, { describes?: true }>>)[field]?.describes === true;
}

export const SEPARATORS: Readonly<Record<Decimal, Separators>> = {
  '.': { group: ',', decimal: '.' },
  ',': { group: '.', decimal: ',' },
};

const FURTHER_ROLES: Readonly<Record<(typeof COMPANY_ROLES)[number], readonly string[]>> = {
  CORPORATE_ADMIN: ['Firmen-Admin', 'Administrateur de société', 'Administratrice de société'],
  MANAGER: ['Führungskraft', 'Responsable'],
  EMPLOYEE: ['Mitarbeiter/in', 'Mitarbeitende', 'Mitarbeiter', 'Mitarbeiterin', 'Collaborateur', 'Collaboratrice'],
};

/** The words of all languages of the console: a file may come from one in another language. */
const ROLES = new Map(
  COMPANY_ROLES.flatMap((role) =>
    [role, ROLE_NAMES[role], ...FURTHER_ROLES[role]].map((name) => [plainName(name), role]),
  ),
);
/** Separators of roles; slashes and spaces come last, as they occur within names as well. */
const BETWEEN_ROLES = [/[;,|\n]/, /[;,/|\n]/, /\s+/];
const ACTIVE = new Map(
  Object.entries({
    true:
      'active aktiv yes ja true wahr y j 1 current employed fulltime parttime permanent probation onprobation confirmed contract ' +
      'leaveofabsence onleave parentalleave maternityleave elternzeit mutterschutz vollzeit teilzeit beschaftigt befristet ' +
      'unbefristet probezeit actif activo ativo attivo actief aktywny enposte 在籍 在职 有効 सक्रिय 재직 активен работает ทำงานอยู่',
    false:
      'inactive suspended archived inaktiv no nein false falsch n 0 terminated resigned retired left exited separated dismissed deceased former ' +
      'ausgetreten ausgeschieden gekundigt ehemalig rentner pensioniert inactif parti demissionne inactivo baja cesado inativo ' +
      'desligado demitido inattivo cessato dimesso inactief uitdienst nieaktywny zwolniony 退職 退社 离职 无效 निष्क्रिय 퇴직 퇴사 уволен ลาออก',
  }).flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
);
const CLIENT_TYPES = new Map(
  Object.entries({
    CORPORATE: 'corporate firma entreprise societe',
    AGENCY: 'agency agentur agence',
    DIRECT: 'direct direkt',
  }).flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
);

/** Converts a cell to the value that the service takes; an empty one stays empty. */
export function readValue(field: ImportField, text: string, format: ValueFormat): string | { fault: ValueFault } {
  if (text === '') return '';
  switch (field) {
    case 'startDate':
    case 'endDate':
    case 'dateOfBirth': {
      const { order, calendar, years } = format.dates;
      if (calendar === undefined && mayBeBuddhist(text)) return { fault: 'date-era' };
      if (years?.[field] === undefined && hasShortYear(text)) return { fault: 'date-years' };
      const isOpen = order === undefined && needsOrder(text);
      return readDate(text, format.dates, years?.[field]) ?? { fault: isOpen ? 'date-order' : 'date' };
    }
    case 'employeeNumber':
    case 'manager':
      return RUINED.test(text) ? { fault: 'number' } : text;
    case 'approvalLimit':
      return readDecimal(text, format.decimal);
    case 'roles': {
      const readings = BETWEEN_ROLES.map((sign) => text.split(sign).map((name) => ROLES.get(plainName(name))));
      const all = readings.find((found) => !found.includes(undefined));
      return all ? [...new Set(all)].join(' ') : { fault: 'role' };
    }
    case 'active':
      return ACTIVE.get(plainName(text)) ?? { fault: 'active' };
    case 'clientType':
      return CLIENT_TYPES.get(plainName(text)) ?? { fault: 'client-type' };
    default:
      return text;
  }
}

/** A number that a spreadsheet has rounded. */
const RUINED = /^\d(?:[.,]\d+)?E\+\d+$/i;

function readDecimal(text: string, decimal: Decimal | undefined): string | { fault: ValueFault } {
  if (decimal === undefined && needsDecimal(text)) return { fault: 'decimal' };
  return readAmount(text, SEPARATORS[decimal ?? '.']) ?? { fault: 'amount' };
}

/** Returns whether an amount has a separator whose meaning has to be known. */
export function needsDecimal(text: string): boolean {
  return /\d[.,]\d/.test(text);
}

/** Returns the decimal separator that a column of amounts implies; undefined if it is contradictory or unclear, as with only `25,000`. */
export function decimalOf(texts: Iterable<string>): Decimal | undefined {
  const signs = new Set<Decimal>();
  for (const text of texts) {
    const sign = decimalOfAmount(/\d[\d.,\s]*\d/.exec(text)?.[0] ?? '');
    if (sign !== undefined) signs.add(sign);
  }
  const [sign, ...others] = signs;
  return others.length === 0 ? sign : undefined;
}

function decimalOfAmount(digits: string): Decimal | undefined {
  const signs: string[] = digits.match(/[.,]/g) ?? [];
  const last = signs.at(-1) as Decimal | undefined;
  if (last === undefined) return undefined;
  const other = last === '.' ? ',' : '.';
  const isOnce = signs.indexOf(last) === signs.length - 1;
  if (!isOnce) return signs.includes(other) ? undefined : other;
  const isFraction = signs.length > 1 || digits.length - digits.lastIndexOf(last) <= 3;
  return isFraction ? last : undefined;
}

/** How dates other than ISO 8601 are read. Order undefined: not known, so numeric dates are read only if day and month are equal. */
export interface DateFormat {
  order: 'day-first' | 'month-first' | undefined;
  /** Whether whole numbers are Excel serial dates. */
  serials: boolean;
  /** The calendar of years from 2400 to 2700; undefined: not known. */
  calendar?: 'gregorian' | 'buddhist' | undefined;
  /** The latest year that two digits mean, by field. */
  years?: Readonly<Partial<Record<ImportField, number>>> | undefined;
}

/** Languages whose names of columns are known. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh', 'ko', 'ru', 'hi', 'th'];
const DIGITS: ReadonlyMap<string, string> = new Map(
  ['thai', 'deva', 'arab', 'fullwide'].flatMap((system) => {
    const { format } = new Intl.NumberFormat(`en-u-nu-${system}`);
    return Array.from({ length: 10 }, (_, digit) => [format(digit), String(digit)] as const);
  }),
);

/** Numbers of the months by their names in those languages, and by their beginnings of three letters or more that are of one month alone. */
const readMonths = (): ReadonlyMap<string, string> => {
  const begins = new Map<string, Set<string>>([['mrz', new Set(['3'])]]);
  const add = (name: string, month: string) => begins.set(name, (begins.get(name) ?? new Set()).add(month));
  const whole = new Map<string, string>();
  for (const language of LANGUAGES) {
    for (const form of [
      { month: 'long' },
      { month: 'short' },
      { month: 'long', day: 'numeric' },
      { month: 'short', day: 'numeric' },
    ] as const) {
      const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC', calendar: 'gregory' });
      for (let month = 0; month < 12; month++) {
        const parts = format.formatToParts(Date.UTC(2000, month, 1));
        const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/^\d+.*$/, '');
        if (name === '') continue;
        whole.set(name, String(month + 1));
        for (let length = 3; length < name.length; length++) add(name.slice(0, length), String(month + 1));
      }
    }
  }
  const begun = [...begins].flatMap(([name, [month, ...others]]) =>
    month && others.length === 0 ? [[name, month] as const] : [],
  );
  return new Map([...begun, ...whole]);
};
let months: ReturnType<typeof readMonths> | undefined;

const NUMERIC = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$/;
const MONTH = '(\\p{L}[\\p{L}\\p{M}.]*)';
const NAMED = new RegExp(
  `^(?:(\\d{1,2})(?:st|nd|rd|th)?[. -]*(?:de |d')?${MONTH}|${MONTH}[. -]*(\\d{1,2})(?:st|nd|rd|th)?)[., -]*(?:(?:de|del) )?(\\d{4}|\\d{2})(?: г\\.?)?$`,
  'iu',
);
const ISO = /^(\d{4})(?:[-/.] ?|\s?[年년]\s?)(\d{1,2})(?:[-/.] ?|\s?[月월]\s?)(\d{1,2})(?:\.|\s?[日일号])?$/;
/** A time of day behind a date, which means nothing there. In UTC only midnight: any other may be of the day before or after. */
const TIME = /[T ](?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AP]M)?|0{1,2}:00(?::00(?:\.0+)?)?Z)$/i;
/** Excel serial dates up to 31 December 9999. Earlier ones are excluded, as Excel counts 29 February 1900, which did not exist. */
const [FIRST_SERIAL, LAST_SERIAL] = [61, 2_958_465];

/** Returns the date as `YYYY-MM-DD`; undefined if the text is no date or ambiguous. */
export function readDate(text: string, { order, serials, calendar }: DateFormat, latest?: number): string | undefined {
  const bare = withoutTime(text);
  const iso = ISO.exec(bare);
  const dateOf = (year?: string, month?: string, day?: string) => dateIn({ calendar, latest }, year, month, day);
  if (iso) return dateOf(iso[1], iso[2], iso[3]);
  const named = NAMED.exec(bare);
  if (named) return dateOf(named[5], monthOf(named[2] ?? named[3] ?? ''), named[1] ?? named[4]);
  const numeric = NUMERIC.exec(bare);
  if (numeric) {
    const [, first, second, year] = numeric;
    // With dots the day practically always comes first.
    if (isDotted(bare)) return dateOf(year, second, first);
    if (order === 'month-first') return dateOf(year, first, second);
    return order === 'day-first' || Number(first) === Number(second) ? dateOf(year, second, first) : undefined;
  }
  return serials && isSerial(bare) ? dateOfSerial(Number(bare)) : undefined;
}

/** Returns the order that the dates of a column allow; undefined if they allow both or neither. */
export function orderOf(texts: Iterable<string>): DateFormat['order'] {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const text of texts) {
    const [, first, second] = NUMERIC.exec(withoutTime(text)) ?? [];
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? 'day-first' : 'month-first';
}

/** Returns whether a text depends on the order. */
export function needsOrder(text: string): boolean {
  const bare = withoutTime(text);
  return NUMERIC.test(bare) && !isDotted(bare);
}

function isDotted(text: string): boolean {
  return /^\d+\.\d+\./.test(text);
}

function withoutTime(text: string): string {
  return text
    .trim()
    .replace(/\p{Nd}/gu, (digit) => DIGITS.get(digit) ?? digit)
    .replace(TIME, '');
}

/** Returns whether a text may be an Excel serial date. */
export function isSerial(text: string): boolean {
  const days = /^\d{2,7}$/.test(text) ? Number(text) : 0;
  return days >= FIRST_SERIAL && days <= LAST_SERIAL;
}

/** Returns the date of an Excel serial date. */
export function dateOfSerial(days: number): string {
  return new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10);
}

/** Returns whether a text is a date whose year has two digits. */
export function hasShortYear(text: string): boolean {
  const bare = withoutTime(text);
  return /(?<!\d)\d{2}$/.test(bare) && (NUMERIC.test(bare) || NAMED.test(bare));
}

/** Returns whether a text has a year that is near only in the Buddhist calendar. */
export function mayBeBuddhist(text: string): boolean {
  return /(?<!\d)2[4-6]\d\d(?!\d)/.test(withoutTime(text)) && !isSerial(withoutTime(text));
}

/** Years by which the Buddhist calendar is ahead. */
const BUDDHIST = 543;

function monthOf(name: string): string | undefined {
  const plain = plainName(name);
  // Read with the first date in words: it takes longer than most files.
  months ??= readMonths();
  return months.get(plain) ?? months.get(plain.slice(0, 3));
}

function dateIn(
  { calendar, latest = DEFAULT_LATEST }: Pick<DateFormat, 'calendar'> & { latest: number | undefined },
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const short = latest - ((latest - Number(year)) % 100);
  const told = year.length === 4 ? Number(year) : short;
  const full = calendar === 'buddhist' && told >= 2400 && told < 2700 ? told - BUDDHIST : told;
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

/** The latest year of two digits where none was chosen, as spreadsheets have it. */
const DEFAULT_LATEST = 2029;
export const USUAL_YEARS = { dateOfBirth: DEFAULT_LATEST, startDate: DEFAULT_LATEST, endDate: DEFAULT_LATEST };
