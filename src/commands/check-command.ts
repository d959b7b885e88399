import { UserError } from '../lib/errors.ts';
import { CHECKS, type Finding } from './check/checks.ts';
import type { Command } from './command.ts';

export const checkCommand: Command = {
  name: 'check',
  parameters: [],
  summary:
    'check settings, database, schema, approval policies, rights, geography, identity provider, proxy, disk and clock',
  details:
    'Prints a line for each: ok, note (it works, but may not be intended) or wrong, with what to do. Exits with 1 if anything is wrong, ' +
    'or if the database cannot be opened. Changes nothing.',
  needsDatabase: () => true,
  async act(context, _values, { print }) {
    let faults = 0;
    for (const [name, check] of Object.entries(CHECKS)) {
      const { state, text } = await Promise.resolve(check(context)).catch(faultOf);
      if (state === 'wrong') faults += 1;
      print(`${state.padEnd(5)}  ${name}: ${text}`);
    }
    if (faults > 0) throw new UserError(`${faults} ${faults === 1 ? 'thing is' : 'things are'} not right.`);
  },
};

function faultOf(error: unknown): Finding {
  return { state: 'wrong', text: `could not be looked at (${error instanceof Error ? error.message : String(error)})` };
}
