import type { DestinationStream } from 'pino';
import { printable } from '../../lib/errors.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Fields that the head of a line shows already, and those that are no use at a terminal. */
const NOT_SHOWN = ['level', 'time', 'pid', 'hostname', 'msg', 'err'];

interface Line extends Record<string, unknown> {
  level: number;
  time: number;
  msg?: string;
  err?: { stack?: string; message?: string };
}

/**
 * Writes each JSON line of the log in human-readable form: `09:30:00 INFO  request method=GET path=/ status=200`.
 * The stack of an error follows on lines of its own.
 */
export function readableLines(stream: Pick<NodeJS.WritableStream, 'write'>): DestinationStream {
  return { write: (json) => void stream.write(readableLine(JSON.parse(json) as Line)) };
}

function readableLine(line: Line): string {
  const { level, time, msg = '', err } = line;
  const moment = new Date(time).toTimeString().slice(0, 'hh:mm:ss'.length);
  const fields = Object.entries(line)
    .filter(([name]) => !NOT_SHOWN.includes(name))
    .map(
      ([name, value]) =>
        ` ${name}=${typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)}`,
    );
  const stack = err === undefined ? [] : (err.stack ?? String(err.message)).split('\n');
  const head = `${moment} ${(LEVELS[level] ?? String(level)).padEnd(5)} ${msg}${fields.join('')}`;
  return [head, ...stack.map((row) => `    ${row}`)].map((row) => `${printable(row)}\n`).join('');
}
