import assert from 'node:assert/strict';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { publishedSchemaCheck } from './matches-schema.ts';

/**
 * Like {@link buildTestApp}, with one token a person. Each answer to `send` must match its published schema, and none may be a fault
 * of the service.
 */
export async function buildCheckedApp(...options: Parameters<typeof buildTestApp>): Promise<TestApp> {
  const test = await buildTestApp(...options);
  const check = publishedSchemaCheck();
  const tokens = new Map<string, string>();

  async function tokenFor(email: string): Promise<string> {
    const token = tokens.get(email) ?? (await test.tokenFor(email));
    tokens.set(email, token);
    return token;
  }
  return {
    ...test,
    tokenFor,
    async send({ as, headers, ...request }) {
      const authorization = as === undefined ? {} : { authorization: `Bearer ${await tokenFor(as)}` };
      const response = await test.send({ ...request, headers: { ...authorization, ...headers } });
      const method = request.method ?? 'GET';
      assert.ok(response.statusCode < 500, `${method} ${request.url}: ${response.statusCode} ${response.body}`);
      // An answer to HEAD loses its body only on its way through a socket; what is compressed is for who unpacks it.
      if (method !== 'HEAD' && response.headers['content-encoding'] === undefined)
        check({ method, path: String(request.url).split('?', 1)[0] ?? '' }, response);
      return response;
    },
  };
}
