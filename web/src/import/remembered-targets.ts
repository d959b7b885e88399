import {
  isOwnField,
  isTarget,
  plainName,
  type RememberedTargets,
  type Target,
  targetsByLabel,
} from '../../../src/import/tables/columns.ts';
import type { Matches } from '../../../src/import/tables/draft.ts';
import type { OwnField } from '../api/types.ts';
import { keep, kept } from '../storage.ts';

const STORAGE_KEY = 'orgdesk.import-columns';

/** Returns the targets of columns with labels of fields of one's own, and those that were chosen in this browser before. */
export function targetsFor(own: readonly OwnField[]): RememberedTargets {
  const isKnown = (target: Target) => !isOwnField(target) || own.some(({ key }) => target === `fields.${key}`);
  const chosen = Object.entries(rememberedTargets()).filter(([, target]) => isKnown(target));
  return { ...targetsByLabel(own), ...Object.fromEntries(chosen) };
}

function rememberedTargets(): RememberedTargets {
  const found = Object.entries(kept('localStorage', STORAGE_KEY) ?? {});
  return Object.fromEntries(found.filter((entry): entry is [string, Target] => isTarget(entry[1])));
}

export function rememberTarget(name: string, target: Target): void {
  if (name !== '') keep('localStorage', STORAGE_KEY, { ...rememberedTargets(), [plainName(name)]: target });
}

const matchesKey = (companyId: string) => `orgdesk.import-values.${companyId}`;

/** Returns what was chosen in this browser before for values that the company does not know. */
export function rememberedMatches(companyId: string): Matches {
  const found = Object.entries(kept('localStorage', matchesKey(companyId)) ?? {});
  return Object.fromEntries(
    found.flatMap(([field, values]) => {
      if (typeof values !== 'object' || values === null) return [];
      return [[field, Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))]];
    }),
  );
}

export function rememberMatches(companyId: string, matches: Matches): void {
  keep('localStorage', matchesKey(companyId), matches);
}
