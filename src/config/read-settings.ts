import { readFileSync } from 'node:fs';
import type { Rule } from './rules.ts';
import type { Given, Setting } from './setting.ts';
import { SETTINGS } from './settings-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Table = typeof SETTINGS;

/** `DATABASE_URL` is `databaseUrl` in the code. */
type NameInCode<Name extends string> = Name extends `${infer Word}_${infer Others}`
  ? `${Lowercase<Word>}${Capitalize<NameInCode<Others>>}`
  : Lowercase<Name>;

type ValueOf<Row> = Row extends { rule: Rule<infer Value> }
  ? Row extends { default: unknown }
    ? Value
    : Value | undefined
  : never;

/** The value of each setting, by its name in the code; undefined where it is optional and not set. */
export type Settings = { [Name in keyof Table as NameInCode<Name>]: ValueOf<Table[Name]> };

/** The same, where those that are wrong are undefined. */
export type PossibleSettings = { [Name in keyof Settings]: Settings[Name] | undefined };

/**
 * Returns how the text of a setting is found: in its variable or, for a secret, in the file that the variable with `_FILE` names,
 * without the line feed at its end.
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
    // Told by `fileProblems`.
    return undefined;
  }
}

/** Returns a line for each file of a secret that cannot be read or is empty, and for each secret that is given in both ways. */
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
 * Reads each setting by its row of the table.
 *
 * @returns a line for each one that is wrong by itself, with what it holds (unless that is a secret) and what is expected, and for each one
 *   without those that it needs
 */
export function readSettings(given: Given): { values: PossibleSettings; problems: string[] } {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const text = given(name);
    const parsed = text ?? defaultOf(setting, given);
    const value = parsed === undefined ? undefined : setting.rule.parse(parsed);
    values[nameInCode(name)] = value;
    if (text === undefined) continue;
    if (value === undefined) {
      const shown = setting.secret ? '(not shown here)' : `is ${JSON.stringify(text)}`;
      problems.push(`  ${name} ${shown}: expected ${setting.rule.expected}`);
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
