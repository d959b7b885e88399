/** A string or a structural character, in JSON that is known to be valid. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** A repeated key of an object. `JSON.parse` takes the last occurrence, where another parser may take the first. */
export interface RepeatedKey {
  key: string;
  /** Nesting level of the object; 1 is the outermost. */
  level: number;
}

/**
 * Parses JSON, and finds repeated keys (RFC 8259, section 4).
 *
 * @param outline the outline of this text
 * @throws SyntaxError
 */
export function parseJson(text: string, outline = outlineOf(text)): { value: unknown; repeated: RepeatedKey[] } {
  const value: unknown = JSON.parse(text);
  return { value, repeated: outline.keys === countKeys(value) ? [] : repeatedKeys(text) };
}

/** Parses JSON in which no object has a name twice. @throws SyntaxError */
export function parseOnce(text: string): unknown {
  const { value, repeated } = parseJson(text);
  if (repeated.length > 0) throw new SyntaxError('An object has a name twice.');
  return value;
}

/** Structure of a JSON text. */
export interface JsonOutline {
  /** Nesting depth; counting stops where it exceeds the maximum. */
  depth: number;
  /** Number of keys of all objects, repeated ones included. */
  keys: number;
  /** Number of objects and lists. */
  containers: number;
}

const sign = (character: string) => character.charCodeAt(0);
const QUOTE = sign('"');
const BACKSLASH = sign('\\');
const COLON = sign(':');
const [LIST, OBJECT] = [sign('['), sign('{')];
const [END_OF_LIST, END_OF_OBJECT] = [sign(']'), sign('}')];

/** Counts the parts of a JSON text without parsing it. The result for invalid JSON is arbitrary. */
export function outlineOf(text: string, maxDepth = Number.POSITIVE_INFINITY): JsonOutline {
  const { length } = text;
  let [depth, keys, containers, open] = [0, 0, 0, 0];
  for (let at = 0; at < length && depth <= maxDepth; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        for (at++; at < length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
        break;
      case COLON:
        keys++;
        break;
      case LIST:
      case OBJECT:
        containers++;
        depth = Math.max(depth, ++open);
        break;
      case END_OF_LIST:
      case END_OF_OBJECT:
        open--;
    }
  }
  return { depth, keys, containers };
}

/** Counts the keys of all objects of a parsed value: fewer than in the text where keys were repeated. */
function countKeys(value: unknown): number {
  let count = 0;
  const open: object[] = [];
  const add = (one: unknown) => {
    if (typeof one === 'object' && one !== null) open.push(one);
  };
  add(value);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (Array.isArray(one)) for (const each of one) add(each);
    else {
      for (const key in one) {
        count++;
        add((one as Record<string, unknown>)[key]);
      }
    }
  }
  return count;
}

/** Returns the repeated keys of all objects in valid JSON. */
function repeatedKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  /** Keys of each unclosed object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === '{' || piece === '[') open.push(piece === '{' ? new Set() : undefined);
    else if (piece === '}' || piece === ']') open.pop();
    else if (piece === ':') {
      // Decoded, as "sub" and "\u0073ub" are the same key.
      const key = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1);
      const keys = open.at(-1);
      if (keys?.has(key)) repeated.push({ key, level: open.length });
      keys?.add(key);
    }
    last = piece;
  }
  return repeated;
}

/**
 * Parses JSON without repeated keys.
 *
 * @throws SyntaxError also for a repeated key
 */
export function parseStrictJson(text: string): unknown {
  const { value, repeated } = parseJson(text);
  if (repeated.length > 0) throw new SyntaxError('An object has a key twice');
  return value;
}
