import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';

/** The service on a port of the loopback interface, and clients of it. */
export interface Served extends AsyncDisposable {
  readonly api: TestApp;
  readonly baseUrl: string;
  /** A client with a token of the person with this e-mail address. */
  clientOf(email: string, options?: Partial<ClientOptions>): Promise<Client>;
}

/** Builds the service and has it listen. */
export async function serve(...options: Parameters<typeof buildTestApp>): Promise<Served> {
  const api = await buildTestApp(...options);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  return {
    api,
    baseUrl,
    clientOf: async (email, more) => createClient({ baseUrl, token: await api.tokenFor(email), ...more }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** Everything that an iterator gives. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
