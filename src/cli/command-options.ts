import type { ParseArgsConfig } from 'node:util';
import type { Command } from './command.ts';

/** The options of these commands, as `parseArgs` of node:util takes them. */
export function optionsOf(commands: readonly Command[]): NonNullable<ParseArgsConfig['options']> {
  const options = commands.flatMap((command) => command.options ?? []);
  return Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  );
}

/** How to write a command: `import FOLDER [--dry-run] [--report FILE]`. */
export function usageOf({ name, parameters, options = [] }: Pick<Command, 'name' | 'parameters' | 'options'>): string {
  const optional = options.map((option) => `[--${option.name}${option.value === undefined ? '' : ` ${option.value}`}]`);
  return [name, ...parameters, ...optional].join(' ');
}
