/** A figure with its name, which leads to the list that it counts. */
export interface Figure {
  id: string;
  name: string;
  value: number;
  text: string;
  /** How much of the bar is filled, from 0 to 1; absent: compared with the largest value. */
  share?: number;
  href: string;
}

/** The largest figures first, as many as a card shows, and how many it leaves out. */
export function largestOf(figures: readonly Figure[], shown: number): { first: Figure[]; left: number } {
  const ordered = [...figures].sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1));
  return { first: ordered.slice(0, shown), left: Math.max(ordered.length - shown, 0) };
}

/** What a company has, as far as it is known; a new one has one department, one band and its first admin. */
export interface CompanyCounts {
  departments: number | undefined;
  bands: number | undefined;
  policies: number | undefined;
  people: number | undefined;
}

export type SetUpStep = keyof CompanyCounts;

const NEEDED: Readonly<Record<SetUpStep, number>> = { departments: 2, bands: 2, policies: 1, people: 2 };

/** What is left to set up in a company. What is not known yet is not missing. */
export function stepsLeft(counts: CompanyCounts): SetUpStep[] {
  const steps = Object.keys(NEEDED) as SetUpStep[];
  return steps.filter((step) => (counts[step] ?? NEEDED[step]) < NEEDED[step]);
}
