import type { Database } from '../../db/database.ts';
import { buildInWorker } from './build-in-worker.ts';
import type { CompressedLists } from './compressed-lists.ts';
import { buildGeographyIndex, type GeographyIndex, loadGeographyIndex, openGeographyIndex } from './geography-index.ts';
import { FEW_ROWS, getGeographyRevision, readGeography } from './geography-queries.ts';
import { readGeographySource } from './load/source.ts';

/** What the routes answer from. */
export interface Geography {
  /** The index of the moment. An answer takes it once, so that it never shows half of two states. */
  readonly index: GeographyIndex;
  /** The full lists of that index in smaller form, once they are ready; absent: never. */
  readonly compressedLists?: CompressedLists;
}

/** Holds the present geography, replaced whole when the data in the database changes. Empty until it is told where to read. */
export interface GeographyStore extends Geography, AsyncDisposable {
  /** Takes the geography that comes with the program, for as long as the database is away. */
  useShipped(): void;
  /** Reads the database, and again after each notified change. Rejects where that fails, and may be called again then. */
  open(): Promise<void>;
}

/** {@link createGeographyStore}, read from the database. */
export async function openGeographyStore(...given: Parameters<typeof createGeographyStore>): Promise<GeographyStore> {
  const store = createGeographyStore(...given);
  await store.open();
  return store;
}

/**
 * Builds the index anew in a thread of its own where there is one already: requests are answered from the old one until the new
 * one is there, and wait for neither.
 *
 * @param failed is told of a rebuild or a compression that did not succeed: the old index, or the plain lists, stay
 */
export function createGeographyStore(
  db: Database,
  failed: (error: unknown) => void,
  compressedLists?: CompressedLists,
): GeographyStore {
  let index: GeographyIndex | undefined;
  let pending = false;
  let rebuilding: Promise<void> | undefined;
  let listening: AsyncDisposable | undefined;
  const closing = new AbortController();

  function use(built: GeographyIndex): void {
    index = built;
    void compressedLists?.prepare(built).catch(failed);
  }

  async function read(): Promise<void> {
    if (index === undefined) return use(await db.session(loadGeographyIndex));
    if ((await getGeographyRevision(db)) === index.revision) return;
    const texts = await db.session((session) => readGeography(session, FEW_ROWS));
    use(openGeographyIndex(await buildInWorker(texts, closing.signal)));
  }

  async function rebuild(): Promise<void> {
    while (pending) {
      pending = false;
      try {
        await read();
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

  return {
    get index() {
      return index ?? EMPTY;
    },
    ...(compressedLists === undefined ? {} : { compressedLists }),
    useShipped: () => use(buildGeographyIndex({ revision: SHIPPED, ...readGeographySource() })),
    async open() {
      await read();
      listening = await db.listen('geography_changed', changed);
      // What changed before the listening began was not notified.
      changed();
    },
    async [Symbol.asyncDispose]() {
      compressedLists?.stop();
      await listening?.[Symbol.asyncDispose]();
      pending = false;
      closing.abort();
      await rebuilding;
    },
  };
}

const EMPTY = buildGeographyIndex({ revision: '0', countries: [], states: [], cities: [] });
/** The revision of no database. */
const SHIPPED = 'shipped';
