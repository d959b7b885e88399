/** Seconds: the upper bounds of the classes that the durations of answers are counted in; the last class has none. */
export const DURATIONS = [
  ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01],
  ...[0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
] as const;

/** What stands for requests that fall under no operation: an unknown path, or a method that a path does not have. */
export const UNMATCHED = 'unmatched';

/** The callers of these went away before the whole answer had gone out. */
export const ABORTED = 'aborted';

/** What is known of the requests for an operation so far. */
export interface OperationFigures {
  /** How many were answered with each status. */
  readonly statuses: ReadonlyMap<number | typeof ABORTED, number>;
  /** How many fell into each class of {@link DURATIONS}, and how many took longer. */
  readonly durations: Float64Array;
  /** Seconds that all of them took together. */
  readonly seconds: number;
}

/** Counts requests in plain numbers, which somebody may look at now and then. To count one takes a fraction of a microsecond. */
export interface RequestFigures {
  readonly byOperation: ReadonlyMap<string, OperationFigures>;
  /** Requests that were no well-formed HTTP. */
  readonly unreadable: number;
  /** @param operation one of a bounded set: each is remembered */
  add(operation: string, status: number | typeof ABORTED, seconds: number): void;
  addUnreadable(): void;
}

/** @param operations are there from the beginning */
export function countRequests(operations: readonly string[]): RequestFigures {
  const byOperation = new Map(operations.map((operation) => [operation, noFigures()]));
  let unreadable = 0;
  return {
    byOperation,
    get unreadable() {
      return unreadable;
    },
    add(operation, status, seconds) {
      let figures = byOperation.get(operation);
      if (figures === undefined) {
        figures = noFigures();
        byOperation.set(operation, figures);
      }
      figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
      figures.seconds += seconds;
      let index = 0;
      while (seconds > (DURATIONS[index] ?? Number.POSITIVE_INFINITY)) index++;
      figures.durations[index] = (figures.durations[index] ?? 0) + 1;
    },
    addUnreadable() {
      unreadable += 1;
    },
  };
}

function noFigures() {
  const statuses = new Map<number | typeof ABORTED, number>();
  return { statuses, durations: new Float64Array(DURATIONS.length + 1), seconds: 0 };
}
