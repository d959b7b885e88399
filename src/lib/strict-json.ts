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
  const { depth, keys } = outlineOf(text, maxDepth);
  const isExact = depth > maxDepth || keys === countKeys(value);
  return { value, depth, repeated: isExact ? [] : repeatedKeys(text) };
}

/** What JSON text consists of. */
export interface JsonOutline {
  /** How deeply it is nested; reading ends where that is more than asked for. */
  depth: number;
  /** Keys of all objects, each as often as it stands there. */
  keys: number;
  /** Objects and lists. */
  containers: number;
}

const sign = (character: string) => character.charCodeAt(0);
const QUOTE = sign('"');
const BACKSLASH = sign('\\');
const COLON = sign(':');
const [LIST, OBJECT] = [sign('['), sign('{')];
const [END_OF_LIST, END_OF_OBJECT] = [sign(']'), sign('}')];

/** Counts what JSON text consists of, a character at a time. Of what is no JSON it counts something. */
export function outlineOf(text: string, maxDepth: number): JsonOutline {
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

/** Counts the keys of all objects of a parsed value. Each one that stood twice in an object leaves fewer than the text has. */
export function countKeys(value: unknown): number {
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

/** Finds the keys that an object has twice, in valid JSON. */
function repeatedKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  /** The keys of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === '{' || piece === '[') open.push(piece === '{' ? new Set() : undefined);
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
  return repeated;
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
