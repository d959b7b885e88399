import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { type Context, createContext } from '../context.ts';
import { askHolder } from '../db/control-channel.ts';
import { FolderInUseError } from '../db/data-folder-lock.ts';
import { sqlState } from '../db/database.ts';
import { hasEmbeddedDatabase } from '../db/embedded-database.ts';
import { UserError } from '../lib/errors.ts';
import type { Command, Output } from './command.ts';
import { geographyCommand } from './geography-command.ts';
import { importCommand } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { tokenCommand } from './token-command.ts';

export const COMMANDS: readonly Command[] = [migrateCommand, importCommand, tokenCommand, geographyCommand];

const UNDEFINED_TABLE = '42P01';

/**
 * Runs a command on the configured database; where a running orgdesk holds the data folder, that one is asked to do it.
 *
 * @throws UserError for what the person at the terminal can mend
 */
export async function runCommand(command: Command, values: readonly string[], config: Config, output: Output) {
  // The running orgdesk may have been started in another folder.
  const words = values.map((value, index) => (command.parameters[index] === 'FOLDER' ? resolve(value) : value));
  if (command.needsDatabase && config.databaseUrl === undefined) await expectEmbeddedDatabase(config.dataDir);
  let context: Context;
  try {
    context = await createContext(config, { command: `orgdesk ${command.name}` });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return askHolder(error.holder, [command.name, ...words], output.print);
  }
  try {
    await act(command, context, words, output);
  } finally {
    await context[Symbol.asyncDispose]();
  }
}

/**
 * Does what another process asks for that found the data folder in use; its words are a command and its values.
 *
 * @param stop gives up a long command when it is aborted
 */
export async function answerRequest(
  context: Context,
  request: readonly string[],
  print: (text: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const [name, ...values] = request;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw new UserError(`The running orgdesk knows no command ${name}.`);
  stop.throwIfAborted();
  await act(command, context, values, { print, progress: () => stop.throwIfAborted() });
}

async function act(command: Command, context: Context, values: readonly string[], output: Output): Promise<void> {
  try {
    await command.act(context, values, output);
  } catch (error) {
    if (sqlState(error) !== UNDEFINED_TABLE) throw error;
    throw new UserError('The database has no schema yet: start the service once, or run `orgdesk migrate`.', {
      cause: error,
    });
  }
}

async function expectEmbeddedDatabase(dataDir: string): Promise<void> {
  if (await hasEmbeddedDatabase(dataDir)) return;
  throw new UserError(
    `There is no database in ${dataDir} yet: start the service once, or set DATA_DIR (or DATABASE_URL) to where its data is.`,
  );
}
