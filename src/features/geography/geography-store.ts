import type { Database } from '../../db/database.ts';
import { type GeographyIndex, loadGeographyIndex } from './geography-index.ts';

/** Holds the present {@link GeographyIndex}, replaced whole when the data in the database changes. */
export interface GeographyStore extends AsyncDisposable {
  /** The index of the moment. An answer takes it once, so that it never shows half of two states. */
  readonly index: GeographyIndex;
}

/**
 * Builds the index and builds it anew after each notified change; requests are answered from the old one until the new one is there.
 * `failed` is told of a rebuild that did not succeed: the old index stays.
 */
export async function openGeographyStore(db: Database, failed: (error: unknown) => void): Promise<GeographyStore> {
  let index = await loadGeographyIndex(db);
  let pending = false;
  let rebuilding: Promise<void> | undefined;

  async function rebuild(): Promise<void> {
    while (pending) {
      pending = false;
      try {
        index = await loadGeographyIndex(db);
      } catch (error) {
        failed(error);
      }
    }
    rebuilding = undefined;
  }

  const listening = await db.listen('geography_changed', () => {
    pending = true;
    rebuilding ??= rebuild();
  });
  return {
    get index() {
      return index;
    },
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      pending = false;
      await rebuilding;
    },
  };
}
