import assert from 'node:assert/strict';
import { openApiText } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { withoutReferences } from '../support/without-references.ts';

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description?: string;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: { properties: Record<string, { examples?: unknown[] }>; required?: string[] } }>;
  };
  security: Record<string, string[]>[];
  responses: Record<string, Answer>;
}

interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

interface Media {
  schema: { properties: { data: { $ref?: string; items?: { $ref?: string } } } };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Published {
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    securitySchemes: Record<string, unknown>;
    schemas: Record<string, unknown>;
    responses: Record<string, Answer>;
  };
}
/** The document as it is served, which a test holds against this text. */
export const published = JSON.parse(openApiText(OPERATIONS)) as Published;
export const document = withoutReferences(published);

/** What the document says of a status of an operation, wherever it says it. */
export function answerAt({ responses }: Operation, status: number | 'default'): Answer {
  return responses[status] ?? assert.fail(`nothing is said of ${status}`);
}

export function publishedAt(path: string, method: string): Operation {
  return published.paths[path]?.[method.toLowerCase()] ?? assert.fail(`${method} ${path}`);
}

/** What a schema that is nothing but a reference refers to. */
export function componentAt(schema: object): unknown {
  const { $ref = '' } = schema as { $ref?: string };
  const name = $ref.split('/').at(-1) ?? '';
  return published.components.schemas[name] ?? assert.fail(`${JSON.stringify(schema).slice(0, 200)} names nothing`);
}
