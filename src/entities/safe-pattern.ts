/*
 * Patterns that administrators write, in a part of the syntax of JavaScript: characters, `.`, classes such as `[A-Z0-9_-]`, `\d`, `\w`, `\s`,
 * groups, `|`, and the quantifiers `?`, `*`, `+`, `{n}`, `{n,}` and `{n,m}`. A pattern is that of the whole text. Matching moves all places of
 * a text at once, so that it takes no longer for a text that is made to be slow.
 */

type Node =
  | { kind: 'one'; of: RegExp }
  | { kind: 'all'; of: readonly Node[] }
  | { kind: 'any'; of: readonly Node[] }
  | { kind: 'some'; of: Node; least: number; most: number };

const MAX_LENGTH = 200;
const MAX_COUNT = 100;

const TOKEN =
  /\\[dwsDWS]|\\[^\p{L}\p{N}]|\[\^?(?:\\[dwsDWS]|\\[^\p{L}\p{N}]|[^\\\]])+\]|\{\d{1,3}(?:,\d{0,3})?\}|[^\\[\]{}]/uy;

class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Returns the function that tells whether a text is of a pattern; undefined for what is no pattern, or one that could be slow. */
export function compilePattern(pattern: string): ((text: string) => boolean) | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  try {
    const tokens = tokensOf(pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, ''));
    const node = readAlternatives(tokens);
    if (tokens.length > 0) return undefined;
    return (text) => {
      const characters = [...text];
      return move(node, characters, new Set([0])).has(characters.length);
    };
  } catch (error) {
    if (error instanceof PatternError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the tokens of a pattern, the last one first. */
function tokensOf(pattern: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < pattern.length) {
    const [token] = TOKEN.exec(pattern) ?? [];
    if (token === undefined) throw new PatternError(pattern);
    tokens.push(token);
  }
  return tokens.reverse();
}

function readAlternatives(tokens: string[]): Node {
  const ways = [readSequence(tokens)];
  while (tokens.at(-1) === '|') {
    tokens.pop();
    ways.push(readSequence(tokens));
  }
  return { kind: 'any', of: ways };
}

function readSequence(tokens: string[]): Node {
  const items: Node[] = [];
  for (;;) {
    const next = tokens.at(-1);
    if (next === undefined || next === '|' || next === ')') return { kind: 'all', of: items };
    items.push(readQuantified(readAtom(tokens), tokens));
  }
}

function readAtom(tokens: string[]): Node {
  const token = tokens.pop() ?? '';
  if (token === '(') {
    if (tokens.at(-1) === '?') {
      tokens.pop();
      if (tokens.pop() !== ':') throw new PatternError(token);
    }
    const group = readAlternatives(tokens);
    if (tokens.pop() !== ')') throw new PatternError(token);
    return group;
  }
  if (/^(?:[?*+^$]|\{.+)$/.test(token)) throw new PatternError(token);
  return { kind: 'one', of: new RegExp(`^${/^[/-]$/.test(token) ? `\\${token}` : token}$`, token === '-' ? '' : 'u') };
}

function readQuantified(atom: Node, tokens: string[]): Node {
  const [, sign = '', least = '', comma, most = ''] =
    /^(?:([?*+])|\{(\d+)(,)?(\d*)\})$/.exec(tokens.at(-1) ?? '') ?? [];
  if (sign === '' && least === '') return atom;
  tokens.pop();
  // A count of counts would take too long.
  if (hasCount(atom) || /^[?*+{]/.test(tokens.at(-1) ?? '')) throw new PatternError(sign);
  const counts: Readonly<Record<string, readonly [number, number]>> = {
    '?': [0, 1],
    '*': [0, Number.POSITIVE_INFINITY],
    '+': [1, Number.POSITIVE_INFINITY],
  };
  const upper = comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
  const [from, to] = counts[sign] ?? [Number(least), upper];
  if (from > MAX_COUNT || (to > MAX_COUNT && Number.isFinite(to)) || from > to) throw new PatternError(sign);
  return { kind: 'some', of: atom, least: from, most: to };
}

function hasCount(node: Node): boolean {
  if (node.kind === 'one') return false;
  return node.kind === 'some' || node.of.some(hasCount);
}

/** Returns where a node can end that begins at one of these places. */
function move(node: Node, text: readonly string[], places: ReadonlySet<number>): ReadonlySet<number> {
  switch (node.kind) {
    case 'one':
      return new Set([...places].flatMap((at) => (node.of.test(text[at] ?? '') ? [at + 1] : [])));
    case 'all':
      return node.of.reduce((from, item) => move(item, text, from), places);
    case 'any':
      return new Set(node.of.flatMap((way) => [...move(way, text, places)]));
    case 'some': {
      const reached = new Set(node.least === 0 ? places : []);
      let ends = places;
      for (let count = 1; count <= node.most && ends.size > 0; count++) {
        const known = reached.size;
        ends = move(node.of, text, ends);
        if (count < node.least) continue;
        for (const end of ends) reached.add(end);
        if (reached.size === known && count > node.least) break;
      }
      return reached;
    }
  }
}
