import { type PGlite, type Transaction as PGliteTransaction, parse, protocol } from '@electric-sql/pglite';
import { LRUCache } from 'lru-cache';
import type { Sql } from 'sql-template-tag';

const { serialize } = protocol;

/** Statements that are known at a time. */
const MOST = 256;

/** What a statement runs on: PGlite itself, or a transaction that is open. */
export type Queryable = Pick<PGliteTransaction, 'query' | 'closed'>;

interface Prepared {
  /** Its name in the session. */
  name: string;
  /** The types of its parameters, as object ids. */
  types: readonly number[];
}

/** Runs statements, and prepares those that come again. To parse and plan one takes PGlite several times as long as to run it. */
export interface PreparingStatements {
  /** While it runs nobody else may have a transaction open, as there is one session for all. */
  query<Row extends object>(session: Queryable, statement: Sql): Promise<Row[]>;
  /** To be called where tables may have changed: what was prepared before may not fit them. */
  forget(): void;
}

export function preparingStatements(pglite: PGlite): PreparingStatements {
  /** By their texts; false for one that has come once. */
  const known = new LRUCache<string, Prepared | false>({
    max: MOST,
    dispose(prepared) {
      if (prepared) dropped.push(serialize.close({ type: 'S', name: prepared.name }));
    },
  });
  let names = 0;
  /** Messages that drop what has been forgotten, to be sent with the next ones. */
  let dropped: Uint8Array[] = [];

  async function send(...messages: Uint8Array[]) {
    const all = Buffer.concat([...dropped, ...messages, serialize.sync()]);
    dropped = [];
    return (await pglite.execProtocol(all)).messages;
  }

  async function prepare(text: string): Promise<Prepared> {
    const name = `s${++names}`;
    const described = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    return { name, types: parse.parseDescribeStatementResults(described) };
  }

  /** A value as PGlite writes it. */
  function written(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return pglite.serializers[type]?.(value) ?? String(value);
  }

  return {
    async query<Row extends object>(session: Queryable, { text, values }: Sql) {
      const isNew = !known.has(text);
      if (isNew) known.set(text, false);
      // A session that is closed says so itself.
      if (isNew || session.closed) return (await session.query<Row>(text, values as unknown[])).rows;
      return pglite.runExclusive(async () => {
        const prepared = known.get(text) || (await prepare(text));
        known.set(text, prepared);
        const { name, types } = prepared;
        const results = await send(
          serialize.bind({ statement: name, values: values.map((value, place) => written(value, types[place] ?? 0)) }),
          serialize.describe({ type: 'P' }),
          serialize.execute({}),
        );
        return (parse.parseResults(results, pglite.parsers)[0]?.rows ?? []) as Row[];
      });
    },
    forget: () => known.clear(),
  };
}
