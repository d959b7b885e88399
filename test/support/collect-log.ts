import type { DestinationStream } from 'pino';

/** A line of the log, as far as tests look at it. */
export type LogLine = Record<string, unknown> & { level: number; err?: { message: string; stack: string } };

/** Somewhere to write the log of a service to, and its lines so far. */
export function collectLog(): { log: DestinationStream; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, log: { write: (text) => void lines.push(JSON.parse(text) as LogLine) } };
}
