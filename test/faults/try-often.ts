import { inspect } from 'node:util';

/** A row of the table of results: how often a fault was borne, and what was seen the last time. */
export async function tryOften(name: string, rounds: number, run: () => Promise<string>): Promise<string> {
  let [held, seen] = [0, ''];
  for (let round = 0; round < rounds; round++) {
    try {
      seen = await run();
      held++;
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${name}: ${inspect(error)}\n`);
    }
  }
  return `| ${name} | ${held} of ${rounds} | ${seen} |`;
}

export const rounded = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`;
