import type { Context } from '../context.ts';
import type { ProgressReport } from '../db/control-channel.ts';

/** What a command writes to, on this terminal or, asked by another process, on that one's. */
export interface Output {
  /** Writes a text and a line feed to standard output. */
  print(text: string): void;
  /** Shows how far a long step has come. Throws where the work is to be given up. */
  progress(report: ProgressReport): void;
}

/** An option of a command, written `--name` or `--name FILE`. */
export interface CommandOption {
  name: string;
  /** Absent: the option takes no value. `FILE` is a path. */
  value?: 'FILE';
  summary: string;
}

/** The options that were given: their values, or true for those that take none. */
export type GivenOptions = Readonly<Record<string, string | true | undefined>>;

/** A command that does its work and ends. Where a running service holds the data folder, that one does it. */
export interface Command {
  name: string;
  /** The names of its arguments, all required; `FOLDER` and `FILE` are paths. */
  parameters: readonly string[];
  options?: readonly CommandOption[];
  summary: string;
  /** Whether it has nothing to do where there is no database yet, and so makes none. */
  needsDatabase?(options: GivenOptions): boolean;
  /** @throws UserError for what the person at the terminal can mend */
  act(context: Context, values: readonly string[], output: Output, options: GivenOptions): Promise<void>;
}
