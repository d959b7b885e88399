import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Context, createContext } from '../app/context.ts';
import type { Config } from '../config/config.ts';
import { sqlState } from '../db/database.ts';
import { urlOf } from '../db/postgres/server-address.ts';
import { askLockOwner } from '../embedded/control-channel.ts';
import { FolderInUseError } from '../embedded/data-folder-lock.ts';
import { hasEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { UserError } from '../lib/errors.ts';
import type { Command, GivenOptions, Output } from './command.ts';
import { optionsOf } from './command-options.ts';
import { COMMANDS } from './commands.ts';

/** Parameters that are paths. */
const PATHS = ['FOLDER', 'FILE'];

const [UNDEFINED_TABLE, UNDEFINED_COLUMN] = ['42P01', '42703'];

/**
 * Runs a command on the configured database; if a running orgdesk holds the data folder, asks it to.
 *
 * @throws UserError for faults that the user can correct
 */
export async function runCommand(
  command: Command,
  values: readonly string[],
  options: GivenOptions,
  config: Config,
  output: Output,
): Promise<void> {
  const settled = withAbsolutePaths(command, options);
  const makesDatabase = command.makesDatabase && process.env.DATA_DIR && !options['dry-run'];
  if (config.databaseUrl === undefined && !makesDatabase) await assertEmbeddedDatabase(config.dataDir);
  // A running orgdesk may have another working directory.
  const absolute = values.map((value, index) =>
    PATHS.includes(command.parameters[index] ?? '') ? resolve(value) : value,
  );
  const words = (await command.prepare?.(values)) ?? absolute;
  let context: Context;
  try {
    context = await createContext(config, { command: `orgdesk ${command.name}` });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const request = [command.name, ...optionWords(settled), '--', ...words];
    await askLockOwner(error.owner, request, output.print, output.progress);
    nameDatabase(command, options, config);
    return;
  }
  try {
    await act(command, context, words, settled, output);
  } finally {
    await context[Symbol.asyncDispose]();
  }
  nameDatabase(command, options, config);
}

/** Names the database that a command has written to, without user and password. */
function nameDatabase({ writes }: Command, options: GivenOptions, { databaseUrl, dataDir }: Config): void {
  if (!writes || options['dry-run']) return;
  const url = databaseUrl === undefined ? undefined : urlOf(databaseUrl);
  process.stderr.write(`Database: ${url ? `${url.host}${url.pathname}` : `embedded, in ${dataDir}`}\n`);
}

/**
 * Executes a command for another process that found the data folder locked.
 *
 * @param request command name, options and values
 * @param stop cancels a long command when aborted
 */
export async function answerRequest(
  context: Context,
  request: readonly string[],
  { print, progress, flushed }: Output,
  stop: AbortSignal,
): Promise<void> {
  const [name, ...words] = request;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw new UserError(`The running orgdesk knows no command ${name}.`);
  stop.throwIfAborted();
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options: optionsOf([command]) });
  await act(command, context, positionals, values as GivenOptions, {
    print,
    async flushed() {
      await flushed();
      stop.throwIfAborted();
    },
    progress(report) {
      stop.throwIfAborted();
      progress(report);
    },
  });
}

async function act(
  command: Command,
  context: Context,
  values: readonly string[],
  options: GivenOptions,
  output: Output,
): Promise<void> {
  try {
    await command.act(context, values, output, options);
  } catch (error) {
    const state = sqlState(error);
    if (state !== UNDEFINED_TABLE && state !== UNDEFINED_COLUMN) throw error;
    const fault =
      state === UNDEFINED_TABLE ? 'The database has no schema yet' : "The database's schema is not up to date";
    throw new UserError(`${fault}: start the service once, or run \`orgdesk migrate\`.`, { cause: error });
  }
}

/** Resolves path options: a running orgdesk may have another working directory. */
function withAbsolutePaths(command: Command, options: GivenOptions): GivenOptions {
  const entries = Object.entries(options).map(([name, value]) => {
    const isPath = command.options?.some((option) => option.name === name && option.value === 'FILE');
    return [name, isPath && typeof value === 'string' ? resolve(value) : value];
  });
  return Object.fromEntries(entries);
}

function optionWords(options: GivenOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((each) => `--${name}=${each}`);
  });
}

async function assertEmbeddedDatabase(dataDir: string): Promise<void> {
  if (await hasEmbeddedDatabase(dataDir)) return;
  throw new UserError(
    `There is no database in ${dataDir} yet: start the service once, or set DATA_DIR (or DATABASE_URL) to where its data is.`,
  );
}
