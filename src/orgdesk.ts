import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import { buildApp } from './app/build-app.ts';
import { createContext } from './app/context.ts';
import { readConfig } from './config/config.ts';
import { readConsoleFiles } from './features/console/console-files.ts';
import { openCompressedLists } from './features/geography/compressed-lists.ts';
import { openGeography } from './features/geography/geography-file.ts';
import { createLog } from './http/request/request-log.ts';
import { startJobs } from './server/jobs.ts';
import { prepare } from './server/prepare.ts';

/** The service within a server of another program. */
export interface Orgdesk {
  /** Answers a request whose body nobody has read yet. */
  readonly handler: RequestListener;
  /** The same for Fastify, at the prefix with which it is registered: that of `BASE_PATH`. */
  readonly plugin: FastifyPluginAsync;
  /** Ends its work and closes its database; its answers are to be over by then. */
  stop(): Promise<void>;
}

/**
 * Opens the service without a port: its database, whose schema it migrates, and what it does beside its answers.
 *
 * @param settings those of docs/configuration.md, by their names; the environment is not read
 */
export async function createOrgdesk(settings: Readonly<Record<string, string>> = {}): Promise<Orgdesk> {
  const config = readConfig(settings);
  const log = createLog(config.logLevel);
  const stop = new AbortController();
  const context = await createContext(config, { command: 'an application with orgdesk' });
  try {
    const silent = { print: () => undefined, progress: () => undefined, flushed: async () => undefined };
    await prepare(context, silent, stop.signal, true);
    const { index } = await openGeography(config);
    const compressedLists = openCompressedLists(`${config.dataDir}/geography`);
    const webhookAttempts = { delivered: 0, failed: 0 };
    const consoleFiles = await readConsoleFiles();
    const app = await buildApp({
      ...context,
      geography: { index, compressedLists },
      log,
      stop: stop.signal,
      webhookAttempts,
      ...(consoleFiles && { consoleFiles }),
    });
    const jobs = await startJobs(context, log, webhookAttempts);
    const handler = (request: IncomingMessage, response: ServerResponse) =>
      void app.server.emit('request', request, response);
    return {
      handler,
      plugin: async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _body, done) => done(null));
        scope.all('/*', (request, reply) => {
          reply.hijack();
          handler(request.raw, reply.raw);
        });
      },
      async stop() {
        stop.abort();
        compressedLists.stop();
        await jobs[Symbol.asyncDispose]();
        await app.close();
        await context[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await context[Symbol.asyncDispose]();
    throw error;
  }
}
