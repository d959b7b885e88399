/** The byte order mark, which tells spreadsheets that the text is UTF-8. */
export const MARK = '\uFEFF';

/**
 * Matches where a spreadsheet could read the rest as a formula: at the beginning of a cell, and after separators of
 * other locales, such as a semicolon. Adding and removing one apostrophe preserves those that were there.
 */
const BEFORE_FORMULA = /(^|[;|\t\r\n])(?=[\s'"]*[=+\-@＝＋－＠])|^(?='*[\t\r])/g;
export const MARK_OF_FORMULA = /(^|[;|\t\r\n])'(?=[\s'"]*[=+\-@＝＋－＠])|^'(?='*[\t\r])/g;

/** Formats rows as a CSV file (RFC 4180). No cell can be read as a formula (CSV injection), whatever separator a spreadsheet assumes. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = text.replace(BEFORE_FORMULA, "$1'");
  return harmless !== text || /[";,\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
