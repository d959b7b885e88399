import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import type { Sql } from 'sql-template-tag';
import { type Database, type IsWanted, type Reader, sqlState } from '../db/database.ts';
import { batchLoader } from '../lib/batch-loader.ts';
import type { Work } from './request-spans.ts';

/**
 * Creates a span for each statement of a request, from submission to its rows, the wait for a connection included. One
 * that serves several requests has no parent, and links to all of them. Spans hold neither values nor error messages,
 * which may contain some.
 */
export function traceStatements(db: Database, tracer: Tracer, work: Work): Database {
  const traced = (inner: Reader): Reader => ({
    async query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]> {
      const span = startSpan(tracer, work.getStore() ?? [], statement.text);
      if (span === undefined) return inner.query<Row>(statement, isWanted);
      try {
        return await inner.query<Row>(statement, isWanted);
      } catch (error) {
        const state = sqlState(error);
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', state ?? kindOf(error));
        if (state !== undefined) span.setAttribute('db.response.status_code', state);
        throw error;
      } finally {
        span.end();
      }
    },
  });
  return {
    ...db,
    ...traced(db),
    transaction(run, isWanted) {
      const requests = work.getStore() ?? [];
      // A pool starts the transaction when a connection becomes free, possibly in the async context of another request.
      return db.transaction(
        (transaction) => work.run(requests, () => run({ ...transaction, ...traced(transaction) })),
        isWanted,
      );
    },
  };
}

/** Returns a {@link batchLoader} whose look-ups run in the context of all requests that they serve. */
export function tracedBatches(work: Work): typeof batchLoader {
  return (lookUp, maxBatchSize) => {
    type Item = Parameters<typeof lookUp>[0][number];
    const lookUpFor = (questions: readonly { item: Item; requests: readonly Span[] }[]) => {
      const all = questions.flatMap(({ requests }) => requests);
      return work.run(all, () => lookUp(questions.map(({ item }) => item)));
    };
    const ask = batchLoader(lookUpFor, maxBatchSize);
    return (item) => ask({ item, requests: work.getStore() ?? [] });
  };
}

/** Starts the span of a statement. @returns undefined if none of the requests that it serves is sampled */
function startSpan(tracer: Tracer, requests: readonly Span[], text: string): Span | undefined {
  const sampled = requests.filter((span) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0);
  const [first] = sampled;
  if (first === undefined) return undefined;
  const summary = summaryOf(text);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': summary.split(' ', 1)[0] ?? '',
    'db.query.summary': summary,
  };
  const options = { kind: SpanKind.CLIENT, attributes };
  if (requests.length === 1) return tracer.startSpan(summary, options, trace.setSpan(ROOT_CONTEXT, first));
  const links = sampled.map((span) => ({ context: span.spanContext() }));
  return tracer.startSpan(summary, { ...options, links }, ROOT_CONTEXT);
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Matches the operations of a statement and the tables that they name, in order. */
const PARTS =
  /\b(?:(select)\b|(insert)\s+into\s+([\w.]+)|(update)\s+(?!set\b|of\b|skip\b|nowait\b)([\w.]+)|(delete)\s+from\s+([\w.]+)|(?<!distinct\s+)(?:from|join)\s+([\w.]+))/gi;

/** Maximum characters of a summary (OpenTelemetry semantic conventions, database spans). */
const MAX_LENGTH = 255;

/** Returns a short name for a statement, without its values: `SELECT users SELECT companies`. */
export function summaryOf(text: string): string {
  const words: string[] = [];
  let length = 0;
  for (const [, ...found] of text.matchAll(PARTS)) {
    const [first = '', second] = found.filter((word) => word !== undefined);
    // Only in the last alternative of the expression the first match is a table.
    const word = found.at(-1) === undefined ? [first.toUpperCase(), ...(second ? [second] : [])].join(' ') : first;
    length += word.length + 1;
    if (length > MAX_LENGTH) break;
    words.push(word);
  }
  return words.length === 0 ? (/\w+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT') : words.join(' ');
}
