import assert from 'node:assert/strict';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { publishedSchemaCheck } from './matches-schema.ts';

/** Like {@link buildTestApp}; each answer to `send` must match its published schema, and none may be a fault of the service. */
export async function buildCheckedApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const test = await buildTestApp(settings);
  const check = publishedSchemaCheck(test.app);
  return {
    ...test,
    async send(request) {
      const response = await test.send(request);
      const method = request.method ?? 'GET';
      assert.ok(response.statusCode < 500, `${method} ${request.url}: ${response.statusCode} ${response.body}`);
      if (method === 'HEAD') assert.equal(response.body, '');
      else check({ method, path: String(request.url).split('?', 1)[0] ?? '' }, response);
      return response;
    },
  };
}
