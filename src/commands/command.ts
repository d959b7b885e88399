import type { Context } from '../app/context.ts';
import type { ProgressReport } from '../embedded/control-channel.ts';

/** What a command writes to, on this terminal or, asked by another process, on that one's. */
export interface Output {
  /** Writes a text and a line feed to standard output. */
  print(text: string): void;
  /** Shows how far a long step has come. Throws where the work is to be given up. */
  progress(report: ProgressReport): void;
  /** Fulfils when what was printed has been taken; to be awaited by whoever prints much. */
  flushed(): Promise<void>;
}

/** An option of a command, written `--name` or `--name VALUE`. */
export interface CommandOption {
  name: string;
  /** What its value is, for people. Absent: the option takes none. `FILE` is a path. */
  value?: 'FILE' | 'SCOPE' | 'ID' | 'DATE' | 'TIME' | 'NAME';
  /** Whether it may be given several times. */
  isRepeatable?: true;
  summary: string;
}

/** The options that were given: their values, a list of them where it is repeatable, or true for those that take none. */
export type GivenOptions = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** What people are told of a command. */
export interface CommandUsage {
  readonly name: string;
  /** The names of its arguments, all required; `FOLDER` and `FILE` are paths, and one in lower case is written as it stands. */
  readonly parameters: readonly string[];
  readonly options?: readonly CommandOption[];
  /** A line in the list of commands. */
  readonly summary: string;
  /** Sentences for those who ask about this one. */
  readonly details?: string;
}

/** A command that needs no settings and no database. */
export interface PlainCommand extends CommandUsage {
  /** @throws UserError for what the person at the terminal can mend */
  run(values: readonly string[], output: Output): Promise<void>;
}

/** A command that does its work on the database and ends. Where a running service holds the data folder, that one does it. */
export interface Command extends CommandUsage {
  /** Whether it has nothing to do where there is no database yet, and so makes none. */
  needsDatabase?(options: GivenOptions): boolean;
  /** @throws UserError for what the person at the terminal can mend */
  act(context: Context, values: readonly string[], output: Output, options: GivenOptions): Promise<void>;
}
