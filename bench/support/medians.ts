import { cpus, totalmem } from 'node:os';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The machine and the runtime, in words. */
export function machineInWords(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} GiB of memory, Node.js ${process.version}, ${process.platform}`;
}

/** A table in Markdown. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
