import type { Database } from '../../db/database.ts';
import { buildInWorker } from './build-in-worker.ts';
import type { CompressedLists } from './compressed-lists.ts';
import { buildGeographyIndex, type GeographyIndex, loadGeographyIndex, openGeographyIndex } from './geography-index.ts';
import { FEW_ROWS, getGeographyRevision, readGeography } from './geography-queries.ts';
import { readGeographySource } from './load/source.ts';

/** Data source of the routes. */
export interface Geography {
  /** The current index. A response must read it once only, to be consistent. */
  readonly index: GeographyIndex;
  /** Compressed full lists of that index, once ready; absent: never. */
  readonly compressedLists?: CompressedLists;
}

/** Holds the current geography, replaced as a whole when the data in the database changes. Empty until `useShipped` or `open` is called. */
export interface GeographyStore extends Geography, AsyncDisposable {
  /** Uses the geography shipped with the program while the database is unavailable. */
  useShipped(): void;
  /** Reads the database now, and again after each change notification. Rejects on failure, and may then be called again. */
  open(): Promise<void>;
}

/** {@link createGeographyStore}, read from the database. */
export async function openGeographyStore(...given: Parameters<typeof createGeographyStore>): Promise<GeographyStore> {
  const store = createGeographyStore(...given);
  await store.open();
  return store;
}

/**
 * Rebuilds an existing index in a worker thread: until the new one is ready, requests are answered from the old one without a wait.
 *
 * @param failed receives the error of a failed rebuild or compression: the old index, or the plain lists, stay
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
      // Changes before the listener was registered were not notified.
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
/** Revision of data that is not from a database. */
const SHIPPED = 'shipped';
