/** In JSON text that is known to be valid: a string, or one of the signs that give it structure. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** A key that an object has more than once. `JSON.parse` takes the last of them where another reader may take the first. */
export interface RepeatedKey {
  key: string;
  /** 1: of the outermost object. */
  level: number;
}

/** A JSON value, how deeply it is nested (0: not at all), and the keys in it that stand twice (RFC 8259, section 4). */
export interface ParsedJson {
  value: unknown;
  depth: number;
  repeated: readonly RepeatedKey[];
}

/**
 * @param maxDepth what is nested deeper is looked at no further: a key in there costs more memory than its text
 * @throws SyntaxError
 */
export function parseJson(text: string, maxDepth = Number.POSITIVE_INFINITY): ParsedJson {
  const value: unknown = JSON.parse(text);
  const repeated: RepeatedKey[] = [];
  /** The keys of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let depth = 0;
  let last = '';
  for (const [piece] of text.matchAll(PIECES)) {
    if (depth > maxDepth) break;
    if (piece === '{' || piece === '[') depth = Math.max(depth, open.push(piece === '{' ? new Set() : undefined));
    else if (piece === '}' || piece === ']') open.pop();
    else if (piece === ':') {
      // Once decoded: "sub" and "\u0073ub" are one key.
      const key = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1);
      const keys = open.at(-1);
      if (keys?.has(key)) repeated.push({ key, level: open.length });
      keys?.add(key);
    }
    last = piece;
  }
  return { value, depth, repeated };
}

/**
 * Parses JSON in which no object has a key twice.
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const { value, repeated } = parseJson(text);
  if (repeated.length > 0) throw new SyntaxError('An object has a key twice');
  return value;
}
