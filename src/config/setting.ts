import type { TextRule } from '../entities/values.ts';

/** Returns the text of a setting by name; undefined if absent or empty. */
export type Given = (name: string) => string | undefined;

/** A default derived from other settings. */
interface DependentDefault {
  /** Description for the documentation. */
  readonly text: string;
  of(given: Given): string;
}

/** A row of the settings table: everything about one environment variable. */
export interface Setting<Value = unknown> {
  readonly rule: TextRule<Value>;
  /** In the syntax of the setting; absent: the setting is optional. */
  readonly default?: string | DependentDefault;
  /** Whether messages never show its value. */
  readonly secret?: true;
  /** It may be set only together with one of these. */
  readonly onlyWith?: readonly string[];
  /** If it is set, all of these must be set. */
  readonly requires?: readonly string[];
  /** Meaning in Markdown; links are relative to `docs/`. */
  readonly text: string;
}

/** A group of related settings. */
export interface Section {
  readonly title: string;
  /** Notes on all of them, in Markdown. */
  readonly text?: string;
  readonly settings: Readonly<Record<string, Setting>>;
}
