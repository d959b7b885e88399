import type { ParseArgsConfig } from 'node:util';
import { UserError } from '../lib/errors.ts';
import type { CommandUsage, GivenOptions } from './command.ts';

/** Returns the options of these commands in the form of `parseArgs` (node:util). */
export function optionsOf(commands: readonly CommandUsage[]): NonNullable<ParseArgsConfig['options']> {
  const options = commands.flatMap((command) => command.options ?? []);
  return Object.fromEntries(
    options.map(({ name, value, isRepeatable = false }) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: isRepeatable },
    ]),
  );
}

/** Returns the usage of a command: `import FOLDER [--dry-run] [--report FILE]`. */
export function usageOf({ name, parameters, options = [] }: CommandUsage): string {
  const optional = options.map((option) => `[--${optionWords(option)}]`);
  return [name, ...parameters, ...optional].join(' ');
}

/** Returns an option as written: `report FILE`, `dry-run` or `scope SCOPE …`. */
export function optionWords({ name, value, isRepeatable }: NonNullable<CommandUsage['options']>[number]): string {
  if (value === undefined) return name;
  return isRepeatable ? `${name} ${value} …` : `${name} ${value}`;
}

/** Checks the arguments and options of a command. @throws UserError if they do not match its usage */
export function assertUsage(command: CommandUsage, values: readonly string[], given: GivenOptions): void {
  const { name, parameters, options = [] } = command;
  const expected = `Expected: orgdesk ${usageOf(command)}`;
  for (const option of Object.keys(given)) {
    if (options.some((known) => known.name === option)) continue;
    throw new UserError(`orgdesk ${name} has no option --${option}. ${expected}`);
  }
  const isOther = parameters.some((parameter, at) => isWord(parameter) && parameter !== values[at]);
  if (isOther || values.length !== parameters.length || [...values, ...Object.values(given).flat()].includes('')) {
    throw new UserError(expected);
  }
}

/** Returns whether a parameter is a literal word, such as `export`, rather than a placeholder. */
function isWord(parameter: string): boolean {
  return parameter === parameter.toLowerCase();
}
