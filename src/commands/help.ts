import { SETTINGS } from '../config/settings-table.ts';
import type { CommandUsage } from './command.ts';
import { optionWords, usageOf } from './command-options.ts';
import { ALL_COMMANDS } from './commands.ts';

const LINE_WIDTH = 120;
/** Column at which summaries start. */
const INDENT = 20;

/** Returns the output of `orgdesk --help`: all commands, and the names of all settings. */
export function programHelp(): string {
  return [
    'Usage: orgdesk COMMAND',
    '',
    ...ALL_COMMANDS.flatMap((command) => [
      row(`  ${[command.name, ...command.parameters].join(' ')}`, command.summary),
      ...optionRows(command),
    ]),
    '',
    'orgdesk COMMAND --help says more about a command, orgdesk --version which version this is.',
    '--env-file FILE reads settings from a file; those of the environment come first.',
    '',
    'Settings are environment variables, described in docs/configuration.md:',
    ...wrapped(Object.keys(SETTINGS)),
  ].join('\n');
}

/** Returns the output of `orgdesk COMMAND --help`. */
export function commandHelp(command: CommandUsage): string {
  const { summary, details, options = [] } = command;
  return [
    `Usage: orgdesk ${usageOf(command)}`,
    '',
    sentence(summary),
    ...(details === undefined ? [] : [details]),
    ...(options.length === 0 ? [] : ['', ...optionRows(command)]),
  ].join('\n');
}

/** Returns a summary as a sentence. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function optionRows({ options = [] }: CommandUsage): string[] {
  return options.map((option) => row(`    --${optionWords(option)}`, option.summary));
}

function row(words: string, meaning: string): string {
  return `${words.padEnd(INDENT - 1)} ${meaning}`;
}

/** Returns the names separated by commas, in lines of at most {@link LINE_WIDTH}. */
function wrapped(names: readonly string[]): string[] {
  const lines = [''];
  for (const [index, name] of names.entries()) {
    const word = index === names.length - 1 ? name : `${name},`;
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= LINE_WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}
