/** What a statement does, and to which tables: the operations and what they name, in their order. */
const PARTS =
  /\b(?:(select)\b|(insert)\s+into\s+([\w.]+)|(update)\s+(?!set\b|of\b|skip\b|nowait\b)([\w.]+)|(delete)\s+from\s+([\w.]+)|(?<!distinct\s+)(?:from|join)\s+([\w.]+))/gi;

/** Characters (OpenTelemetry semantic conventions, database spans). */
const MAX_LENGTH = 255;

/** A short name for a statement, without its values: `SELECT users SELECT companies`. */
export function summaryOf(text: string): string {
  const words: string[] = [];
  let length = 0;
  for (const [, ...found] of text.matchAll(PARTS)) {
    const [first = '', second] = found.filter((word) => word !== undefined);
    // Of the branches of the expression only the last one begins with a name.
    const word = found.at(-1) === undefined ? [first.toUpperCase(), ...(second ? [second] : [])].join(' ') : first;
    length += word.length + 1;
    if (length > MAX_LENGTH) break;
    words.push(word);
  }
  return words.length === 0 ? (/\w+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT') : words.join(' ');
}
