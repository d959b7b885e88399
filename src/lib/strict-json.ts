/** In JSON text that is known to be valid: a string, or one of the signs that give it structure. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Parses JSON in which no object has a key twice. `JSON.parse` takes the last of them where another reader may take the first
 * (RFC 8259, section 4).
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  /** The keys of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === '{') open.push(new Set());
    else if (piece === '[') open.push(undefined);
    else if (piece === '}' || piece === ']') open.pop();
    else if (piece === ':') {
      // Once decoded: "sub" and "\u0073ub" are one key.
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) throw new SyntaxError('An object has a key twice');
      keys?.add(key);
    }
    last = piece;
  }
  return value;
}
