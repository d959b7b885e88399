import { inspect } from 'node:util';

let failures = 0;

export const countFailures = (): number => failures;

/** Tells of a fault that was not borne: the script goes on, and ends with 1. */
export function tellFailure(name: string, error: unknown): void {
  failures++;
  process.exitCode = 1;
  process.stderr.write(`${name}: ${inspect(error)}\n`);
}

/** A row of the table of results: how often a fault was borne, and what was seen the last time. */
export async function tryOften(name: string, rounds: number, run: () => Promise<string>): Promise<string> {
  let [held, seen] = [0, ''];
  for (let round = 0; round < rounds; round++) {
    try {
      seen = await run();
      held++;
    } catch (error) {
      tellFailure(name, error);
    }
  }
  return `| ${name} | ${held} of ${rounds} | ${seen} |`;
}

export const rounded = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`;
