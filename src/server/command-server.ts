import type { Logger } from 'pino';
import type { Context } from '../app/context.ts';
import { answerRequest } from '../commands/run-command.ts';
import type { LockOptions } from '../embedded/data-folder-lock.ts';

/** Runs commands of other processes on behalf of the data folder's owner. They wait until the service is ready. */
export interface CommandServer {
  /** Options of the data folder's lock: the name of this process, and the handler of commands. */
  lockOptions: LockOptions;
  /** Starts to run the waiting and later commands. */
  start(context: Context): void;
}

/** @param stop aborts a running command */
export function serveCommands(log: Logger, stop: AbortSignal): CommandServer {
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
