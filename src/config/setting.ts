import type { Rule } from './rules.ts';

/** The texts of the environment variables that are set; an empty one counts as absent. */
export type Given = (name: string) => string | undefined;

/** A default that follows from other settings. */
interface DependentDefault {
  /** For people. */
  readonly text: string;
  of(given: Given): string;
}

/** A row of the table of settings: all that there is to say about one environment variable. */
export interface Setting<Value = unknown> {
  readonly rule: Rule<Value>;
  /** As one would write it; absent: the setting is optional. */
  readonly default?: string | DependentDefault;
  /** Whether its value is never repeated, as in a message. */
  readonly secret?: true;
  /** It may be set only where one of these is. */
  readonly onlyWith?: readonly string[];
  /** Where it is set, all of these must be. */
  readonly requires?: readonly string[];
  /** What it means, in Markdown; links are relative to `docs/`. */
  readonly text: string;
}

/** Settings that belong together. */
export interface Section {
  readonly title: string;
  /** What holds for all of them, in Markdown. */
  readonly text?: string;
  readonly settings: Readonly<Record<string, Setting>>;
}
