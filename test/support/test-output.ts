export interface Counts {
  passed: number;
  failed: number;
}

export interface Tally extends Counts {
  /** What each file took. */
  costs: Map<string, FileCost>;
  /** The files in the middle of which something ended that is not under test: their tests are not counted. */
  interrupted: string[];
}

/** In seconds. */
export interface FileCost {
  wall: number;
  /** Of the processors, by the process of the file: what it starts and asks of a database server is not in it. */
  processor: number;
}

/** Returns a line for each of the files that took the most of the processors, or of the time where they wait for other processes. */
export function slowestFiles(
  groups: readonly { name: string }[],
  tallies: readonly Tally[],
  count: number,
  by: keyof FileCost = 'processor',
): string[] {
  return groups
    .flatMap(({ name }, index) => [...(tallies[index]?.costs ?? [])].map(([file, cost]) => ({ name, file, ...cost })))
    .sort((a, b) => b[by] - a[by])
    .slice(0, count)
    .map(
      ({ name, file, processor, wall }) =>
        `${processor.toFixed(1)} s of a processor, ${wall.toFixed(1)} s in all  ${name}: ${file}`,
    );
}

/** What the tests print: a dot for one that passes, and everything about one that does not. */
export interface TestOutput {
  pass(tally: Counts): void;
  fail(tally: Counts, where: string, reason: string): void;
  print(text: string): void;
  /** Ends a line of dots. */
  endLine(): void;
}

const DOTS_IN_LINE = 100;
/** PGlite's stack traces quote whole lines of its minified source. */
const MAX_LINE = 2_000;

/** @param write takes what is printed */
export function testOutput(write: (text: string) => unknown): TestOutput {
  let dots = 0;
  const endLine = () => {
    if (dots > 0) write('\n');
    dots = 0;
  };
  const print = (text: string) => {
    endLine();
    write(`${text.trimEnd().split('\n').map(shorten).join('\n')}\n`);
  };
  return {
    endLine,
    print,
    pass(tally) {
      tally.passed++;
      write('.');
      if (++dots === DOTS_IN_LINE) endLine();
    },
    fail(tally, where, reason) {
      tally.failed++;
      print(`\n✖ ${where}\n${reason}`);
    },
  };
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line;
}
