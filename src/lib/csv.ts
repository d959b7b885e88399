/** The byte order mark, which tells spreadsheets that a text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a CSV line (RFC 4180, but ended by LF alone). Cells are quoted only where necessary. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Matches where a spreadsheet could read the rest as a formula: at the beginning of a cell, and after separators of other locales, such as
 * a semicolon. Adding and removing one apostrophe preserves those that were there.
 */
const BEFORE_FORMULA = /(^|[;|\t\r\n])(?=[\s'"]*[=+\-@＝＋－＠])|^(?='*[\t\r])/g;
const MARK_OF_FORMULA = /(^|[;|\t\r\n])'(?=[\s'"]*[=+\-@＝＋－＠])|^'(?='*[\t\r])/g;

/** Returns a text that no spreadsheet reads as a formula (CSV injection), whatever separator it assumes. */
export function withoutFormula(text: string): string {
  return text.replace(BEFORE_FORMULA, "$1'");
}

/** Returns the text of which {@link withoutFormula} made this one. */
export function withFormula(text: string): string {
  return text.includes("'") ? text.replace(MARK_OF_FORMULA, '$1') : text;
}

/** Returns a CSV line for a file that people may open in a spreadsheet. */
export function harmlessLine(cells: readonly string[]): string {
  return csvLine(cells.map(withoutFormula));
}
