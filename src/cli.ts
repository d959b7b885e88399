#!/usr/bin/env node
import { parseArgs } from 'node:util';
import type { GivenOptions, Output } from './commands/command.ts';
import { assertUsage, optionsOf } from './commands/command-options.ts';
import { ALL_COMMANDS } from './commands/commands.ts';
import { explainError } from './commands/explain-error.ts';
import { commandHelp, programHelp } from './commands/help.ts';
import { runCommand } from './commands/run-command.ts';
import { terminalOutput } from './commands/terminal-output.ts';
import { type Config, readConfig } from './config/config.ts';
import { loadEnvFile, unknownSettings } from './config/environment.ts';
import { UserError } from './lib/errors.ts';
import { PROGRAM } from './lib/program.ts';

async function main(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      ...optionsOf(ALL_COMMANDS),
      'env-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  const { help, version, 'env-file': envFile, ...given } = values;
  const options = given as GivenOptions;
  const [name, ...rest] = positionals;
  using output = terminalOutput();
  if (version) return output.print(PROGRAM.version);
  if (name === 'help' || (help && name === undefined)) return output.print(programHelp());
  if (name === undefined) throw new UserError(`Which command?\n\n${programHelp()}`);

  const command = ALL_COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw new UserError(`There is no command ${name}.\n\n${programHelp()}`);
  if (help) return output.print(commandHelp(command));
  assertUsage(command, rest, options);
  assertWorkingDirectory();
  if (envFile !== undefined) loadEnvFile(envFile);
  if ('run' in command) return await command.run(rest, output);
  if ('elsewhere' in command && options.url !== undefined) return await command.elsewhere?.(rest, output, options);
  for (const warning of unknownSettings(process.env)) process.stderr.write(`${warning}\n`);
  const config = readConfig(process.env);
  try {
    await ('act' in command ? runCommand(command, rest, options, config, output) : serveAndExit(config, output));
  } catch (error) {
    throw explainError(error, config);
  }
}

/** @throws UserError if the working directory has been removed, as PostgreSQL and relative paths need one */
function assertWorkingDirectory(): void {
  try {
    process.cwd();
  } catch {
    throw new UserError('The working directory has been removed: change to one that is there, such as `cd /`.');
  }
}

async function serveAndExit(config: Config, output: Output): Promise<void> {
  // Imported on demand: loading the server takes longer than most commands run.
  const { serve } = await import('./server/serve.ts');
  await serve(config, output);
  // Everything is closed. Exits at once: background work of threads, such as compressing a list, need not be awaited.
  process.exit();
}

/** Returns the text to print: the message of a UserError, the message and usage for a bad option, the stack of any other error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UserError) return error.message;
  const isBadOption = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  return isBadOption ? `${error.message}\n\n${programHelp()}` : (error.stack ?? error.message);
}

// EPIPE: the reader of the output closed it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
});
try {
  await main(process.argv.slice(2));
} catch (error) {
  const text = textOf(error);
  if (text !== '') process.stderr.write(`${text}\n`);
  process.exitCode = error instanceof UserError ? error.exitCode : 1;
}
