import { UserError } from '../lib/errors.ts';
import { readRegularFile } from '../lib/regular-file.ts';
import type { Configuration } from './apply/read-configuration.ts';
import type { Remote } from './apply/remote.ts';
import type { Command, CommandOption, GivenOptions, Output } from './command.ts';

/** Exit code of a plan that has something to do. */
const TO_DO = 2;

const OPTIONS: readonly CommandOption[] = [
  { name: 'prune', summary: 'also delete what the file does not have, of the kinds that it names' },
  { name: 'again', summary: 'also write again what is never shown, such as the values of headers' },
  { name: 'url', value: 'URL', summary: 'the address of a service, instead of the database' },
  {
    name: 'key-file',
    value: 'FILE',
    summary: 'with --url: the API key, or the access token of an administrator; omitted: ORGDESK_API_KEY',
  },
];
const DETAILS = 'docs/administration.md describes the file; docs/example.orgdesk.yaml has every kind.';

/** Makes a command of what is done with a file and its plan. The parts are loaded when they are needed: they take longer than most commands run. */
function commandOf(
  usage: Pick<Command, 'name' | 'options' | 'summary' | 'details'> & { writes?: true },
  perform: (remote: Remote, file: Configuration, output: Output, options: GivenOptions) => Promise<void>,
): Command {
  return {
    ...usage,
    parameters: ['FILE'],
    prepare: async ([path = '']) => [JSON.stringify(await read(path))],
    async act(context, [file = ''], output, options) {
      const { explained, onDatabase } = await import('./apply/remote.ts');
      await onDatabase(context, (remote) => perform(remote, JSON.parse(file), output, options)).catch((error) => {
        throw explained(error);
      });
    },
    async elsewhere([path = ''], output, options) {
      const { explained, remoteAt } = await import('./apply/remote.ts');
      const url = String(options.url);
      const remote = remoteAt(url, await keyOf(options));
      await perform(remote, await read(path), output, options).catch((error) => {
        throw explained(error, url);
      });
    },
  };
}

async function read(path: string): Promise<Configuration> {
  const { readConfiguration } = await import('./apply/read-configuration.ts');
  return readConfiguration(path);
}

/** Reads the key. It is none of the arguments, which every user of the machine can see. @throws UserError if there is none */
async function keyOf({ 'key-file': path }: GivenOptions): Promise<string> {
  if (typeof path !== 'string') {
    const { ORGDESK_API_KEY: key = '' } = process.env;
    if (key === '') throw new UserError('--url needs a key: set ORGDESK_API_KEY, or name a file by --key-file.');
    return key;
  }
  return (await readRegularFile(path)).toString().trim();
}

async function planned(remote: Remote, file: Configuration, output: Output, { prune, again }: GivenOptions) {
  const [{ planOf }, { printPlan }] = await Promise.all([import('./apply/plan.ts'), import('./apply/apply-plan.ts')]);
  const steps = await planOf(remote, file, { prune: prune === true, again: again === true });
  printPlan(steps, output);
  return steps;
}

export const planCommand = commandOf(
  {
    name: 'plan',
    options: OPTIONS,
    summary: 'show what orgdesk apply would create, change and delete, and change nothing',
    details: `Exits with 0 if there is nothing to do, with ${TO_DO} if there is, and with 1 if it fails. ${DETAILS}`,
  },
  async (...given) => {
    const steps = await planned(...given);
    if (steps.length > 0) throw new UserError('', { exitCode: TO_DO });
  },
);

export const applyCommand = commandOf(
  {
    name: 'apply',
    options: [
      ...OPTIONS,
      {
        name: 'secrets',
        value: 'FILE',
        summary: 'write the secrets of new webhooks, which are shown once, to this file',
      },
    ],
    summary: 'create and change what a company has to what a file says, and show the plan before',
    details: `Safe to repeat. What the file does not have stays as it is, unless --prune is given. ${DETAILS}`,
    writes: true,
  },
  async (remote, file, output, options) => {
    const steps = await planned(remote, file, output, options);
    const { applyPlan } = await import('./apply/apply-plan.ts');
    await applyPlan(remote, steps, output, typeof options.secrets === 'string' ? options.secrets : undefined);
  },
);
