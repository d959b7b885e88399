import { readFileSync } from 'node:fs';
import type { TextRule } from '../entities/values.ts';
import type { Given, Setting } from './setting.ts';
import { SETTINGS } from './settings-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Table = typeof SETTINGS;

/** `DATABASE_URL` is `databaseUrl` in the code. */
type NameInCode<Name extends string> = Name extends `${infer Word}_${infer Others}`
  ? `${Lowercase<Word>}${Capitalize<NameInCode<Others>>}`
  : Lowercase<Name>;

type ValueOf<Row> = Row extends { rule: TextRule<infer Value> }
  ? Row extends { default: unknown }
    ? Value
    : Value | undefined
  : never;

/** Values of the settings by their names in the code; undefined if optional and not set. */
export type Settings = { [Name in keyof Table as NameInCode<Name>]: ValueOf<Table[Name]> };

/** Like {@link Settings}, but undefined where invalid. */
export type PossibleSettings = { [Name in keyof Settings]: Settings[Name] | undefined };

/**
 * Returns a lookup of setting texts: from the variable or, for a secret, from the file named by its `_FILE` variable, without the final
 * line feed.
 */
export function givenIn(env: Environment): Given {
  return (name) => env[name] || (isSecret(name) ? textOfFile(env[`${name}_FILE`]) : undefined);
}

function isSecret(name: string): boolean {
  const settings: Readonly<Record<string, Setting>> = SETTINGS;
  return settings[name]?.secret === true;
}

function textOfFile(path: string | undefined): string | undefined {
  try {
    return path ? readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined : undefined;
  } catch {
    // Reported by `fileProblems`.
    return undefined;
  }
}

/** Returns a line for each secret file that is unreadable or empty, and for each secret that is set in both ways. */
export function fileProblems(env: Environment): string[] {
  return Object.keys(SETTINGS).flatMap((name) => {
    const path = env[`${name}_FILE`];
    if (!path || !isSecret(name)) return [];
    if (env[name]) return [`  ${name} and ${name}_FILE are set together: expected one`];
    try {
      return readFileSync(path, 'utf8').trim() === '' ? [`  ${name}_FILE is ${path}: expected a file with a text`] : [];
    } catch (error) {
      return [`  ${name}_FILE is ${path}: expected a file that can be read (${(error as Error).message})`];
    }
  });
}

/**
 * Parses each setting by its row of the table.
 *
 * @returns `problems` has a line for each invalid setting, with its value (unless secret) and the expected one, and for each missing or
 * conflicting dependency
 */
export function readSettings(given: Given): { values: PossibleSettings; problems: string[] } {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const text = given(name);
    const parsed = text ?? defaultOf(setting, given);
    const reading = parsed === undefined ? { value: undefined } : setting.rule.parse(parsed);
    values[nameInCode(name)] = 'value' in reading ? reading.value : undefined;
    if (text === undefined) continue;
    if ('expected' in reading) {
      const shown = setting.secret ? '(not shown here)' : `is ${JSON.stringify(text)}`;
      problems.push(`  ${name} ${shown}: expected ${reading.expected}`);
    }
    problems.push(...unmetNeeds(name, setting, given));
  }
  return { values: values as PossibleSettings, problems };
}

function nameInCode(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, initial: string) => initial.toUpperCase());
}

function defaultOf({ default: fallback }: Setting, given: Given): string | undefined {
  return typeof fallback === 'object' ? fallback.of(given) : fallback;
}

function unmetNeeds(name: string, { onlyWith, requires = [] }: Setting, given: Given): string[] {
  const problems = requires
    .filter((other) => given(other) === undefined)
    .map((other) => `  ${other} is not set: expected with ${name}`);
  if (onlyWith?.every((other) => given(other) === undefined)) {
    problems.push(`  ${name} is set: expected only with ${onlyWith.join(' or ')}`);
  }
  return problems;
}
