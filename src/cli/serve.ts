import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { type Context, createContext } from '../context.ts';
import { migrate } from '../db/migrator.ts';
import { type GeographyStore, openGeographyStore } from '../features/geography/geography-store.ts';
import { hasGeography, loadGeography } from '../import/geography-loader.ts';
import { UserError } from '../lib/errors.ts';
import type { Output } from './command.ts';
import { loadDemo } from './demo.ts';
import { answerRequest } from './run-command.ts';
import { welcomeText } from './welcome.ts';

/**
 * Serves until SIGINT or SIGTERM: brings the schema up to date, loads geography where there is none and, where DEMO_DATA
 * says so, the demo companies where there are no companies; then listens.
 */
export async function serve(config: Config, output: Output): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  let ready: (context: Context) => void = () => undefined;
  const readyContext = new Promise<Context>((resolve) => {
    ready = resolve;
  });
  await using context = await createContext(config, {
    command: 'orgdesk serve',
    answer: async (request, print) => answerRequest(await readyContext, request, print),
  });
  await prepare(context, output);
  ready(context);

  let app: FastifyInstance | undefined;
  await using geography: GeographyStore = await openGeographyStore(context.db, (error) =>
    app?.log.error({ err: error }, 'The geography could not be read again: the old one is served on'),
  );
  app = await buildApp({ ...context, geography });
  await listen(app, config);
  output.print(welcomeText(config, boundAddress(app)));
  await stopped;
  await app.close();
}

async function prepare({ config, db }: Context, output: Output): Promise<void> {
  await migrate(db);
  if (!(await hasGeography(db))) {
    output.print('First start: loading the cities of the world …');
    await loadGeography(db, (done, total) => output.progress('Loading geography', done, total));
  }
  if (config.demoData) await loadDemo(db);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new UserError(`Port ${port} on ${host} is taken by another program: set PORT to a free one.`, {
        cause: error,
      });
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UserError(`Cannot listen on ${host}, port ${port} (${code}): check HOST and PORT.`, { cause: error });
    }
    throw error;
  }
}

function boundAddress(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
