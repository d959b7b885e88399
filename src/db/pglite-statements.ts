import { type PGlite, type Transaction as PGliteTransaction, parse, protocol } from '@electric-sql/pglite';
import type { Sql } from 'sql-template-tag';

const { serialize } = protocol;

/** Statements that are known at a time; the one that has not come for longest gives way to another. */
const MOST = 256;

/** What a statement runs on: PGlite itself, or a transaction that is open. */
export type Queryable = Pick<PGliteTransaction, 'query' | 'closed'>;

interface Prepared {
  /** Its name in the session. */
  name: string;
  /** The types of its parameters, as object ids. */
  types: readonly number[];
}

/** Runs statements, and prepares those that come again: to parse and plan one takes PGlite several times as long as to run it. */
export interface PreparingStatements {
  /** While it runs nobody else may have a transaction open: the session is one for all. */
  query<Row extends object>(session: Queryable, statement: Sql): Promise<Row[]>;
  /** To be called where tables may have changed: the rows of what was prepared before may be others now. */
  forget(): void;
}

export function preparingStatements(pglite: PGlite): PreparingStatements {
  /** By their texts, the latest at the end; null for one that has come once. */
  const known = new Map<string, Prepared | null>();
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

  function know(text: string, prepared: Prepared | null): void {
    known.delete(text);
    known.set(text, prepared);
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) drop(oldest);
  }

  function drop(text: string): void {
    const prepared = known.get(text);
    known.delete(text);
    if (prepared) dropped.push(serialize.close({ type: 'S', name: prepared.name }));
  }

  /** A value as PGlite writes it. */
  function written(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return pglite.serializers[type]?.(value) ?? String(value);
  }

  return {
    async query<Row extends object>(session: Queryable, { text, values }: Sql) {
      const isNew = !known.has(text);
      if (isNew) know(text, null);
      // A session that is closed says so itself.
      if (isNew || session.closed) return (await session.query<Row>(text, values as unknown[])).rows;
      return pglite.runExclusive(async () => {
        const prepared = known.get(text) ?? (await prepare(text));
        know(text, prepared);
        const { name, types } = prepared;
        const results = await send(
          serialize.bind({ statement: name, values: values.map((value, place) => written(value, types[place] ?? 0)) }),
          serialize.describe({ type: 'P' }),
          serialize.execute({}),
        );
        return (parse.parseResults(results, pglite.parsers)[0]?.rows ?? []) as Row[];
      });
    },
    forget() {
      for (const text of [...known.keys()]) drop(text);
    },
  };
}
