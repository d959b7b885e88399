import { countKeys, outlineOf, type ParsedJson, parseJson, type RepeatedKey } from './strict-json.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** A token: a string, a structural character, or anything else up to the next of these. */
const TOKEN = /[ \t\n\r]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}[\],:])|([^\s"{}[\],:]+))/sy;
/** Characters that need decoding in a string, or make it invalid. */
const ESCAPED = /[\\\p{Cc}]/u;

/** Tokens read before yielding to the event loop: about a millisecond. */
const TOKENS_AT_ONCE = 5_000;

/** An object or list that is still being read. */
type Open = { list: unknown[] } | { object: Record<string, unknown>; keys: Set<string>; key: string };

/** Maximum characters of a text that is parsed in one go, whatever its content. */
const SMALL_TEXT = 64 * 1024;
/** Maximum characters of a text that is parsed in one go if it has at most `MAX_PARTS` keys, objects and lists: about ten milliseconds. */
const MEDIUM_TEXT = 512 * 1024;
const MAX_PARTS = 25_000;
/** Maximum keys of an object, more than fit into a small text: code that reads an object does not yield within it. */
const MAX_KEYS = 10_000;

/**
 * Parses JSON like {@link parseJson}: in one go if that takes a few milliseconds, otherwise in pieces.
 *
 * @throws SyntaxError
 * @throws RangeError for an object with more than 10,000 keys
 */
export async function parseJsonFairly(text: string, maxDepth = Number.POSITIVE_INFINITY): Promise<ParsedJson> {
  if (text.length <= SMALL_TEXT) return parseJson(text, maxDepth);
  if (text.length <= MEDIUM_TEXT) {
    const { depth, keys, containers } = outlineOf(text, maxDepth);
    if (depth <= maxDepth && keys <= MAX_KEYS && keys + containers <= MAX_PARTS) {
      const value: unknown = JSON.parse(text);
      if (countKeys(value) === keys) return { value, depth, repeated: [] };
    }
  }
  return parseJsonInPieces(text, maxDepth);
}

/**
 * Parses JSON like {@link parseJson}, yielding to the event loop in between: for texts of megabytes. Stops where the nesting exceeds
 * `maxDepth`.
 *
 * @throws SyntaxError
 * @throws RangeError for an object with more than 10,000 keys
 */
export async function parseJsonInPieces(text: string, maxDepth = Number.POSITIVE_INFINITY): Promise<ParsedJson> {
  const reader = new JsonReader(maxDepth);
  TOKEN.lastIndex = 0;
  for (let position = 0, count = 1; !reader.isTooDeep; count += 1) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text);
    if (token === null) {
      if (/[^ \t\n\r]/.test(text.slice(position))) throw new SyntaxError(`Unexpected text at ${position}`);
      break;
    }
    reader.take(token);
    position = TOKEN.lastIndex;
    if (count % TOKENS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return reader.result();
}

class JsonReader {
  readonly #maxDepth: number;
  readonly #open: Open[] = [];
  readonly #repeated: RepeatedKey[] = [];
  #depth = 0;
  #root: unknown;
  /** Expected next token; `first …` also allows the end of the empty list or object, and `,` the end. */
  #expected: 'value' | 'first value' | 'key' | 'first key' | ':' | ',' | 'nothing' = 'value';

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  get isTooDeep(): boolean {
    return this.#depth > this.#maxDepth;
  }

  result(): ParsedJson {
    if (this.#expected !== 'nothing' && !this.isTooDeep) throw new SyntaxError('Unexpected end');
    return { value: this.#root, depth: this.#depth, repeated: this.#repeated };
  }

  take([, string, sign, literal]: RegExpExecArray): void {
    if (string !== undefined)
      this.#takeString(ESCAPED.test(string) ? (JSON.parse(string) as string) : string.slice(1, -1));
    else if (literal !== undefined) this.#put(JSON.parse(literal));
    else this.#takeSign(sign ?? '');
  }

  #takeString(text: string): void {
    const top = this.#open.at(-1);
    if ((this.#expected === 'key' || this.#expected === 'first key') && top !== undefined && 'keys' in top) {
      if (top.keys.has(text)) this.#repeated.push({ key: text, level: this.#open.length });
      if (top.keys.size + this.#repeated.length >= MAX_KEYS) throw new RangeError('An object has too many keys');
      top.keys.add(text);
      top.key = text;
      this.#expected = ':';
    } else this.#put(text);
  }

  #takeSign(sign: string): void {
    const top = this.#open.at(-1);
    const isObject = top !== undefined && 'keys' in top;
    if (sign === '{' || sign === '[') {
      const value = sign === '{' ? {} : [];
      this.#put(value);
      this.#open.push(Array.isArray(value) ? { list: value } : { object: value, keys: new Set(), key: '' });
      this.#depth = Math.max(this.#depth, this.#open.length);
      this.#expected = sign === '{' ? 'first key' : 'first value';
    } else if (sign === ':' && this.#expected === ':') this.#expected = 'value';
    else if (sign === ',' && this.#expected === ',') this.#expected = isObject ? 'key' : 'value';
    else if (top !== undefined && sign === (isObject ? '}' : ']') && this.#mayEnd(isObject)) {
      this.#open.pop();
      this.#expected = this.#open.length === 0 ? 'nothing' : ',';
    } else throw new SyntaxError(`Unexpected ${sign}`);
  }

  #mayEnd(isObject: boolean): boolean {
    return this.#expected === ',' || this.#expected === (isObject ? 'first key' : 'first value');
  }

  #put(value: unknown): void {
    if (this.#expected !== 'value' && this.#expected !== 'first value') throw new SyntaxError('Unexpected value');
    const top = this.#open.at(-1);
    if (top === undefined) this.#root = value;
    else if ('list' in top) top.list.push(value);
    else if (top.key === '__proto__') {
      Object.defineProperty(top.object, top.key, { value, enumerable: true, configurable: true, writable: true });
    } else top.object[top.key] = value;
    this.#expected = top === undefined ? 'nothing' : ',';
  }
}
