import { dateOfSerial, isSerial } from './dates.ts';

/** The number format of a workbook's cell: a built-in one by its id, or a format code (ECMA-376-1, 18.8.30 and 18.8.31). */
export interface CellFormat {
  id: number;
  code: string;
}

/** Days from 1 January 1900 to 1 January 1904, the epoch of some workbooks. */
const DAYS_TO_1904 = 1462;
const SECONDS_A_DAY = 86_400;

/** Returns a number as its cell shows it: dates in ISO 8601, padded digits such as `00120`; any other number unchanged. */
export function shownNumber(text: string, { id, code }: CellFormat, countsFrom1904: boolean): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  if (!isDate(id, code)) return inPlaces(String(number), code);
  const seconds = Math.round((number + (countsFrom1904 ? DAYS_TO_1904 : 0)) * SECONDS_A_DAY);
  const days = Math.floor(seconds / SECONDS_A_DAY);
  if (!isSerial(String(days))) return String(number);
  const time = new Date((seconds % SECONDS_A_DAY) * 1000).toISOString().slice(11, 19);
  return `${dateOfSerial(days)}${time === '00:00:00' ? '' : ` ${time}`}`;
}

function isDate(id: number, code: string): boolean {
  const isBuiltIn = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
  return isBuiltIn || /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|general/gi, ''));
}

/** Fills the digits of a whole number into a format code that otherwise has only literals. */
function inPlaces(digits: string, code: string): string {
  const signs = code.match(/"[^"]*"|\\.|./g)?.map((sign) => sign.replace(/^["\\]|"$/g, '')) ?? [];
  const isPlace = (sign: string) => sign === '0' || sign === '#';
  const first = signs.findIndex(isPlace);
  if (first < 0 || !/^\d+$/.test(digits) || !/^(?:[0#\-() +/]|"[^"]*"|\\.)+$/.test(code)) return digits;
  let [shown, left] = ['', digits];
  for (let at = signs.length - 1; at >= 0; at--) {
    const sign = signs[at] ?? '';
    const taken = at === first ? left : left.slice(-1);
    shown = (isPlace(sign) ? taken || sign.replace('#', '') : sign) + shown;
    if (isPlace(sign)) left = left.slice(0, -1);
  }
  return shown;
}
