import { BYTE_ORDER_MARK, withoutFormula } from '../../../src/lib/csv.ts';

/** Formats rows as a CSV file (RFC 4180). No cell can be read as a formula (CSV injection), whatever separator a spreadsheet assumes. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = withoutFormula(text);
  return harmless !== text || /[";,\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
