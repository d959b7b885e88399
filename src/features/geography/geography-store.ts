import type { Database } from '../../db/database.ts';
import { buildInWorker } from './build-in-worker.ts';
import type { CompressedLists } from './compressed-lists.ts';
import { type GeographyIndex, loadGeographyIndex, openGeographyIndex } from './geography-index.ts';
import { FEW_ROWS, getGeographyRevision, readGeography } from './geography-queries.ts';

/** What the routes answer from. */
export interface Geography {
  /** The index of the moment. An answer takes it once, so that it never shows half of two states. */
  readonly index: GeographyIndex;
  /** The full lists of that index in smaller form, once they are ready; absent: never. */
  readonly compressedLists?: CompressedLists;
}

/** Holds the present geography, replaced whole when the data in the database changes. */
export interface GeographyStore extends Geography, AsyncDisposable {}

/**
 * Builds the index, and builds it anew after each notified change, in a thread of its own: requests are answered from the old one
 * until the new one is there, and wait for neither.
 *
 * @param failed is told of a rebuild or a compression that did not succeed: the old index, or the plain lists, stay
 */
export async function openGeographyStore(
  db: Database,
  failed: (error: unknown) => void,
  compressedLists?: CompressedLists,
): Promise<GeographyStore> {
  let index = await db.session(loadGeographyIndex);
  let pending = false;
  let rebuilding: Promise<void> | undefined;
  const closing = new AbortController();
  const compress = () => compressedLists?.prepare(index).catch(failed);
  void compress();

  async function rebuild(): Promise<void> {
    while (pending) {
      pending = false;
      try {
        if ((await getGeographyRevision(db)) === index.revision) continue;
        const texts = await db.session((session) => readGeography(session, FEW_ROWS));
        index = openGeographyIndex(await buildInWorker(texts, closing.signal));
        void compress();
      } catch (error) {
        if (!closing.signal.aborted) failed(error);
      }
    }
    rebuilding = undefined;
  }

  function changed(): void {
    pending = true;
    rebuilding ??= rebuild();
  }
  const listening = await db.listen('geography_changed', changed);
  // What changed before the listening began was not notified.
  changed();
  return {
    get index() {
      return index;
    },
    ...(compressedLists === undefined ? {} : { compressedLists }),
    async [Symbol.asyncDispose]() {
      compressedLists?.stop();
      await listening[Symbol.asyncDispose]();
      pending = false;
      closing.abort();
      await rebuilding;
    },
  };
}
