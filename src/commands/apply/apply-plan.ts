import { writeFile } from 'node:fs/promises';
import { ApiError } from '../../client/client.ts';
import { isFileFault, printable, UserError } from '../../lib/errors.ts';
import type { Output } from '../command.ts';
import { placed, type Row } from './kinds.ts';
import type { Step } from './plan.ts';
import type { Remote } from './remote.ts';

const SIGNS = { create: '+', update: '~', delete: '-' };
const DONE = { create: 'created', update: 'changed', delete: 'deleted' };

/** Prints a plan: a line for each thing, and the numbers of them. */
export function printPlan(steps: readonly Step[], { print }: Output): void {
  for (const { does, kind, words, changes } of steps) {
    const told = changes.length === 0 ? '' : `: ${changes.join(', ')}`;
    print(printable(`${SIGNS[does]} ${kind.name} ${JSON.stringify(words)}${told}`));
  }
  print(steps.length === 0 ? 'Nothing to do.' : `To be ${counted(steps)}.`);
}

function counted(steps: readonly Step[]): string {
  const counts = Object.entries(DONE).map(([does, done]) => [steps.filter((step) => step.does === does).length, done]);
  return counts.flatMap(([count, done]) => (count === 0 ? [] : `${done}: ${count}`)).join(', ');
}

/** Carries a plan out, up to the first refusal; refused deletions are told at the end. @param secrets file for what is shown once @throws UserError */
export async function applyPlan(
  remote: Remote,
  steps: readonly Step[],
  { print }: Output,
  secrets: string | undefined,
): Promise<void> {
  const done: Step[] = [];
  const refused: string[] = [];
  const shownOnce: Record<string, unknown> = {};
  try {
    for (const step of steps) {
      try {
        const answer = await carryOut(remote, step);
        const { secretField } = step.kind.create;
        if (step.does === 'create' && secretField !== undefined) shownOnce[step.words] = answer[secretField];
        done.push(step);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push(...problemsOf(step, error));
        if (step.does !== 'delete') break;
      }
    }
  } finally {
    await keepSecrets(shownOnce, secrets, print);
  }
  if (done.length > 0) print(`Done: ${counted(done)}.`);
  if (refused.length === 0) return;
  const rest = steps.length - done.length;
  throw new UserError([`${rest} of ${steps.length} were not done:`, ...refused].join('\n  '));
}

async function carryOut(remote: Remote, { does, kind, id, body, later }: Step): Promise<Row> {
  const { create, update, remove } = kind;
  const { data: answer } = await remote.post({ create, update, delete: remove }[does].path, body);
  const rest = Object.entries(later).filter(([name, value]) => answer[name] !== value);
  if (rest.length > 0) await remote.post(update.path, { id, ...Object.fromEntries(rest) });
  return answer;
}

function problemsOf({ path, words, does }: Step, { errors, message }: ApiError): string[] {
  const at = does === 'delete' ? `${path} ${JSON.stringify(words)}` : path;
  return errors.length === 0 ? [`${at}: ${message}`] : errors.map((each) => placed(at, each));
}

async function keepSecrets(made: Row, file: string | undefined, print: (text: string) => void): Promise<void> {
  const names = Object.keys(made);
  if (names.length === 0) return;
  if (file === undefined) {
    print(
      `The secret of ${names.join(', ')} was not kept: --secrets FILE writes it, webhooks/rotate-secret makes another one.`,
    );
    return;
  }
  try {
    await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`${file} cannot be written: ${error.message}. webhooks/rotate-secret makes another secret.`);
  }
}
