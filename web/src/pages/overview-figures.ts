import type { ReactNode } from 'react';

/** A named figure that links to the list that it counts. */
export interface Figure {
  id: string;
  name: string;
  value: number;
  text: string;
  /** Shown instead of a bar that compares the values. */
  bar?: ReactNode;
  href: string;
}

/** Returns the largest figures, as many as a card shows, and the number of the others. */
export function largestOf(figures: readonly Figure[], shown: number): { first: Figure[]; left: number } {
  const ordered = [...figures].sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1));
  return { first: ordered.slice(0, shown), left: Math.max(ordered.length - shown, 0) };
}

/** Counts of a company's objects, undefined while unknown; a new company has one department, one band and its first admin. */
export interface CompanyCounts {
  departments: number | undefined;
  bands: number | undefined;
  policies: number | undefined;
  people: number | undefined;
}

export type SetUpStep = keyof CompanyCounts;

const NEEDED: Readonly<Record<SetUpStep, number>> = { departments: 2, bands: 2, policies: 1, people: 2 };

/** Returns the steps left to set up a company. Unknown counts are not considered missing. */
export function stepsLeft(counts: CompanyCounts): SetUpStep[] {
  const steps = Object.keys(NEEDED) as SetUpStep[];
  return steps.filter((step) => (counts[step] ?? NEEDED[step]) < NEEDED[step]);
}
