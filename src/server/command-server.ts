import type { Logger } from 'pino';
import type { Context } from '../app/context.ts';
import { answerRequest } from '../commands/run-command.ts';
import type { LockOptions } from '../embedded/data-folder-lock.ts';

/** The commands that other processes ask the one for that holds the data folder. They wait until it serves. */
export interface CommandsOfOthers {
  /** What others are told of this process, and how it does what they ask for. */
  lockOptions: LockOptions;
  /** Begins to do them. */
  start(context: Context): void;
}

/** @param stop gives up a long command when it is aborted */
export function commandsOfOthers(log: Logger, stop: AbortSignal): CommandsOfOthers {
  let start: (context: Context) => void = () => undefined;
  const started = new Promise<Context>((resolve) => {
    start = resolve;
  });
  return {
    start: (context) => start(context),
    lockOptions: {
      command: 'orgdesk serve',
      async answer(request, print, progress, flushed) {
        const context = await started;
        log.info({ command: request[0] }, 'command of another process');
        await answerRequest(context, request, { print, progress, flushed }, stop);
      },
      onError: (error) => log.error({ err: error }, 'A command of another process failed'),
    },
  };
}
