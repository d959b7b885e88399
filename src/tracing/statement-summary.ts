/** Matches the operations of a statement and the tables that they name, in order. */
const PARTS =
  /\b(?:(select)\b|(insert)\s+into\s+([\w.]+)|(update)\s+(?!set\b|of\b|skip\b|nowait\b)([\w.]+)|(delete)\s+from\s+([\w.]+)|(?<!distinct\s+)(?:from|join)\s+([\w.]+))/gi;

/** Maximum characters of a summary (OpenTelemetry semantic conventions, database spans). */
const MAX_LENGTH = 255;

/** Returns a short name for a statement, without its values: `SELECT users SELECT companies`. */
export function summaryOf(text: string): string {
  const words: string[] = [];
  let length = 0;
  for (const [, ...found] of text.matchAll(PARTS)) {
    const [first = '', second] = found.filter((word) => word !== undefined);
    // Only in the last alternative of the expression the first match is a table.
    const word = found.at(-1) === undefined ? [first.toUpperCase(), ...(second ? [second] : [])].join(' ') : first;
    length += word.length + 1;
    if (length > MAX_LENGTH) break;
    words.push(word);
  }
  return words.length === 0 ? (/\w+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT') : words.join(' ');
}
