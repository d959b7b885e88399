import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../../src/auth/callers/access.ts';

/** A way to ask for an operation of the service. */
export interface RegisteredRoute {
  method: 'GET' | 'POST' | 'HEAD';
  url: string;
  operation: { readonly id: string; readonly access: Access; readonly takesCsv?: true };
}

/**
 * Every route of the service that is built meanwhile, those that are not documented included but for those of a standard, whose tests know them: a route that is new is there
 * without having been named in a test.
 */
export async function withRoutes<App>(build: () => Promise<App>): Promise<{ built: App; routes: RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const one of [method].flat()) {
        const operation = config?.operation;
        if (operation === undefined) throw new TypeError(`${one} ${url} states no operation`);
        if ('standard' in operation) continue;
        // A guide stands for all of them.
        routes.push({ method: one as RegisteredRoute['method'], url: url.replace('/*', '/api'), operation });
      }
    });
  };
  subscribe('fastify.initialization', watch);
  try {
    return { built: await build(), routes };
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
}
