/** Tells a spreadsheet that the text is UTF-8. */
const MARK = '\uFEFF';

/** Lines of cells as a CSV file (RFC 4180) that a spreadsheet opens: no cell of it is taken for a formula. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What may part cells: the comma of files, the semicolon of some spreadsheets, the tab of what is copied from one. */
const SEPARATORS = ['\t', ';', ','] as const;

/** The lines of a CSV file, or of what is copied from a spreadsheet; empty lines are left out. */
export function linesOf(text: string): string[][] {
  const bare = text.replace(MARK, '');
  const head = bare.split('\n', 1)[0] ?? '';
  const separator = SEPARATORS.find((one) => head.includes(one)) ?? ',';
  const lines: string[][] = [[]];
  // A cell, quoted or not, and what ends it.
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r?\n|$)`, 'g');
  for (const [all, quoted, plain, end] of bare.matchAll(cells)) {
    if (all === '' && end === '' && lines.at(-1)?.length === 0) break;
    lines.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end === '') break;
    if (end !== separator) lines.push([]);
  }
  return lines.filter((line) => line.some((text) => text !== ''));
}
