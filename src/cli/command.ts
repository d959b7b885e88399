import type { Context } from '../context.ts';

/** What a command writes to, on this terminal or, asked by another process, on that one's. */
export interface Output {
  /** Writes a text and a line feed to standard output. */
  print(text: string): void;
  /** Shows how far a long step has come. */
  progress(step: string, done: number, total: number): void;
}

/** A command that does its work and ends. */
export interface Command {
  name: string;
  /** The names of its arguments, all required. */
  parameters: readonly string[];
  summary: string;
  /** Whether another process may be asked to do it that holds the data folder. */
  act(context: Context, values: readonly string[], output: Output): Promise<void>;
}
