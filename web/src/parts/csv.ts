/** Tells a spreadsheet that the text is UTF-8. */
export const MARK = '\uFEFF';

/**
 * Where a spreadsheet could take what follows for a formula: at the beginning of a cell, and behind what parts cells in other settings than
 * ours, such as a semicolon. One mark more or less leaves the marks that were there.
 */
const BEFORE_FORMULA = /(^|[;|\t\r\n])(?=[\s'"]*[=+\-@＝＋－＠])|^(?='*[\t\r])/g;
export const MARK_OF_FORMULA = /(^|[;|\t\r\n])'(?=[\s'"]*[=+\-@＝＋－＠])|^'(?='*[\t\r])/g;

/** Lines of cells as a CSV file (RFC 4180) that a spreadsheet opens: no cell of it is taken for a formula, wherever it is split. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = text.replace(BEFORE_FORMULA, "$1'");
  return harmless !== text || /[";,\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
