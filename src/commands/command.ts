import type { Context } from '../app/context.ts';
import type { ProgressReport } from '../embedded/control-channel.ts';

/** Output of a command: this terminal, or that of the process that asked for it. */
export interface Output {
  /** Writes a line to standard output. */
  print(text: string): void;
  /** Shows the progress of a long step. Throws if the command is to be cancelled. */
  progress(report: ProgressReport): void;
  /** Resolves when the printed output has been consumed; await it when printing a lot. */
  flushed(): Promise<void>;
}

/** An option of a command, written `--name` or `--name VALUE`. */
export interface CommandOption {
  name: string;
  /** Placeholder of the value; `FILE` is a path. Absent: the option is a flag. */
  value?: 'FILE' | 'URL' | 'SCOPE' | 'ID' | 'DATE' | 'TIME' | 'NAME' | 'NUMBER';
  /** Whether it may be repeated. */
  isRepeatable?: true;
  summary: string;
}

/** Given options: a value, a list for a repeatable one, or true for a flag. */
export type GivenOptions = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** Usage of a command, for its help. */
export interface CommandUsage {
  readonly name: string;
  /** Required arguments: `FOLDER` and `FILE` are paths, a lower-case one is a literal word. */
  readonly parameters: readonly string[];
  readonly options?: readonly CommandOption[];
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further sentences, for the help of this command. */
  readonly details?: string;
}

/** A command without settings and database. */
export interface PlainCommand extends CommandUsage {
  /** @throws UserError for faults that the user can correct */
  run(values: readonly string[], output: Output): Promise<void>;
}

/** A command on the database. If a running service holds the data folder, the service executes it. */
export interface Command extends CommandUsage {
  /** Whether it makes an embedded database in a DATA_DIR that is named; absent: it requires an existing one, as every dry run does. */
  makesDatabase?: true;
  /** Whether it changes data: the database is named on standard error. */
  writes?: true;
  /** Reads what another process that executes it cannot: its arguments are those that this returns. @throws UserError */
  prepare?(values: readonly string[]): Promise<string[]>;
  /** Executes it on the service at the option `url`, without settings and database. @throws UserError */
  elsewhere?(values: readonly string[], output: Output, options: GivenOptions): Promise<void>;
  /** @throws UserError for faults that the user can correct */
  act(context: Context, values: readonly string[], output: Output, options: GivenOptions): Promise<void>;
}
