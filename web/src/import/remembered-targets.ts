import { keep, kept } from '../storage.ts';
import { IMPORT_FIELDS, plainName, type RememberedTargets, type Target } from './columns.ts';

const STORAGE_KEY = 'orgdesk.import-columns';
const TARGETS: ReadonlySet<unknown> = new Set([...IMPORT_FIELDS, 'fullName', '']);

/** Returns the targets of columns that were chosen in this browser before. */
export function rememberedTargets(): RememberedTargets {
  const found = Object.entries(kept('localStorage', STORAGE_KEY) ?? {});
  return Object.fromEntries(found.filter((entry): entry is [string, Target] => TARGETS.has(entry[1])));
}

export function rememberTarget(name: string, target: Target): void {
  keep('localStorage', STORAGE_KEY, { ...rememberedTargets(), [plainName(name)]: target });
}
