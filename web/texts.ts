import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, type Token } from '@messageformat/parser';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { ERROR_STATUS, type ErrorCode } from '../src/entities/api-error.ts';
import { ALL_ENTITIES } from '../src/entities/entities.ts';
import { ENTITY_WORDS, FIELD_LABELS, readable, wordsOfField } from './src/labels.ts';
import type { Catalogue } from './src/translate.ts';

const SOURCES = fileURLToPath(new URL('src', import.meta.url));
const CATALOGUES = join(SOURCES, 'catalogues');
/** Errors that the console never causes, or never shows. */
const UNSEEN: readonly ErrorCode[] = [
  ...(['MALFORMED_REQUEST', 'AUTHENTICATION_REQUIRED', 'INVALID_TOKEN', 'SCOPE_REQUIRED', 'KEY_SUSPENDED'] as const),
  ...(['PREFETCH_REFUSED', 'METHOD_NOT_ALLOWED', 'CIRCLE', 'MANAGED_BY_DIRECTORY', 'CURSOR_GONE'] as const),
  ...(['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'UNSUPPORTED_MEDIA_TYPE', 'EXPECTATION_FAILED'] as const),
  ...(['TOO_MANY_REQUESTS', 'HEADERS_TOO_LARGE'] as const),
];

/** The texts of the console: the names of the values of each, by its key in a catalogue. */
export type Messages = ReadonlyMap<string, readonly string[]>;

/** Returns all texts of the console. @throws Error for a call of `t` whose message or values cannot be read */
export function readMessages(): Messages {
  const messages = new Map<string, readonly string[]>();
  for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
    if (!UNSEEN.includes(code)) messages.set(`${code} | error`, []);
  }
  for (const [name, { label }] of Object.entries(ENTITY_WORDS)) {
    if (label === undefined) messages.set(readable(name), []);
  }
  for (const name of ALL_ENTITIES.flatMap(({ fields }) => Object.keys(fields))) {
    if (name !== 'id' && !(name in FIELD_LABELS)) messages.set(wordsOfField(name), []);
  }
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  for (const name of files) {
    const text = readFileSync(join(SOURCES, name), 'utf8');
    const { program } = parseSync(name, text);
    const readCall = ({ arguments: [message, given], start }: ESTree.CallExpression) => {
      const at = `${name}:${text.slice(0, start).split('\n').length}`;
      const [key, values] = readText(message, given, at);
      messages.set(key, [...new Set([...(messages.get(key) ?? values), ...values])]);
    };
    new Visitor({
      CallExpression(call) {
        if (call.callee.type === 'Identifier' && call.callee.name === 't') readCall(call);
      },
    }).visit(program);
  }
  return messages;
}

type Argument = ESTree.Argument | undefined;

function readText(message: Argument, given: Argument, at: string): [string, string[]] {
  const text = literalOf(message);
  if (text === undefined) throw new Error(`${at}: t() takes a literal text`);
  const properties = given?.type === 'ObjectExpression' ? given.properties : [];
  const values = properties.flatMap(namesIn);
  const context = properties.find((one) => one.type === 'Property' && namesIn(one)[0] === 'context');
  const missing = namesOf(text).filter((name) => !values.includes(name));
  const isOpen =
    given !== undefined &&
    (given.type !== 'ObjectExpression' || properties.some(({ type }) => type === 'SpreadElement'));
  if (missing.length > 0 && !isOpen) throw new Error(`${at}: t() lacks the values ${missing.join(', ')}`);
  const key = context?.type === 'Property' ? `${text} | ${literalOf(context.value)}` : text;
  return [key, isOpen ? [...values, ...namesOf(text)] : values];
}

/** Returns the text of a literal, in quotes or in backquotes. */
function literalOf(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** Returns the names that a part of an object literal gives, also within `...{ }`. */
function namesIn(one: ESTree.ObjectPropertyKind): string[] {
  if (one.type === 'Property') return one.key.type === 'Identifier' ? [one.key.name] : [];
  return one.argument.type === 'ObjectExpression' ? one.argument.properties.flatMap(namesIn) : [];
}

/** Returns the names of the arguments of a message. @throws Error if it is malformed */
export function namesOf(message: string): string[] {
  const names = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      const { cases = [], arg } = { cases: undefined, arg: undefined, ...token };
      if ('cases' in token && !cases.some(({ key }) => key === 'other')) throw new Error(`No other case: ${message}`);
      return [...(arg === undefined ? [] : [arg]), ...cases.flatMap((one) => names(one.tokens))];
    });
  return [...new Set(names(parse(message)))];
}

/** Returns what is wrong with a catalogue, in sentences. */
export function problemsOf(catalogue: Catalogue, messages: Messages): string[] {
  const missing = [...messages.keys()].filter((key) => !catalogue[key]);
  const unused = Object.keys(catalogue).filter((key) => !messages.has(key));
  return [
    ...missing.map((key) => `has no translation of: ${key}`),
    ...unused.map((key) => `translates what the console does not say: ${key}`),
    ...Object.entries(catalogue).flatMap(([key, translation]) => {
      const names = messages.get(key);
      const wrong = names && namesOf(translation).filter((name) => !names.includes(name));
      return wrong?.map((name) => `uses {${name}}, which has no value, in: ${translation}`) ?? [];
    }),
  ];
}

/** Returns the catalogues, by language. */
export function readCatalogues(): Map<string, Catalogue> {
  const files = readdirSync(CATALOGUES);
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(CATALOGUES, file), 'utf8'))]),
  );
}

/**
 * Checks that each catalogue has all texts, and no others; `--write` adds what is missing, to be translated, and removes
 * what is unused: `tsx web/texts.ts [--write]`
 */
function main(): void {
  const messages = readMessages();
  for (const [language, catalogue] of readCatalogues()) {
    if (process.argv.includes('--write')) {
      const all = [...messages.keys()].sort().map((key) => [key, catalogue[key] ?? '']);
      writeFileSync(join(CATALOGUES, `${language}.json`), `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    }
    for (const problem of problemsOf(catalogue, messages)) {
      process.stderr.write(`web/src/catalogues/${language}.json ${problem}\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
