/** The parts of an OpenAPI 3.1 document that are finished here. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; headers?: Record<string, Header> };
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description: string;
  schema: Schema;
}

interface Response {
  description: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, Media>;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

interface Header {
  description: string;
  schema: Schema;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** What the payload of an operation is, or one item of it: its name among the schemas of the document. */
const PAYLOADS: Readonly<Record<string, string>> = {
  getProfile: 'Profile',
  updateProfile: 'UpdatedProfile',
  listCities: 'City',
  listStates: 'State',
  listCountries: 'Country',
  listCompanies: 'Company',
  listAuditTrail: 'Change',
  listEvents: 'Change',
  listApprovalPolicies: 'ApprovalPolicy',
  listDepartments: 'Department',
  getConsoleConfig: 'ConsoleConfig',
  getLiveness: 'Liveness',
  getReadiness: 'Readiness',
};

/**
 * Finishes the document that is collected from the routes: names the schemas of the payloads, gives an example of each
 * answer, and says of bodies what the collector cannot know.
 */
export function finishDocument(document: ApiDocument): void {
  const { schemas } = document.components;
  document.components.headers = {
    'X-Request-Id': { description: 'Names this request in the log', schema: { type: 'string' } },
  };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    describeVersions(operation);
    if (operation.requestBody) finishBody(operation.requestBody);
    for (const response of Object.values(operation.responses)) {
      response.headers = { ...response.headers, 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
    }
    const success = operation.responses[200];
    const media = success?.content?.['application/json'];
    if (!success || !media) continue;
    success.description = 'Success';
    namePayload(media.schema, PAYLOADS[operation.operationId.replace(/By(?:Post|Get)$/, '')], schemas);
    addExamples(media, schemas);
  }
}

/** The headers by which service and client tell each other which version they have. */
function describeVersions(operation: Operation): void {
  const { operationId, responses } = operation;
  const isGeography = ['listCities', 'listStates', 'listCountries'].includes(operationId);
  const isUpdate = operationId.startsWith('updateProfile');
  const success = responses[200];
  if (!success || !(isGeography || isUpdate || operationId.startsWith('getProfile'))) return;

  const headers = { ETag: { description: 'The version of what is answered', schema: { type: 'string' } } };
  success.headers = headers;
  if (isGeography) {
    responses[304] = { description: 'If-None-Match names the present version', headers };
    addHeader(operation, 'If-None-Match', 'The ETag of an earlier answer: the same again is answered with 304');
  }
  if (isUpdate)
    addHeader(operation, 'If-Match', 'The ETag of the profile that was read: 412 where it has changed since');
}

function addHeader(operation: Operation, name: string, description: string): void {
  const header = { in: 'header', name, required: false, description, schema: { type: 'string' } };
  operation.parameters = [...(operation.parameters ?? []), header];
}

function finishBody(body: NonNullable<Operation['requestBody']>): void {
  body.required = false;
  for (const { schema } of Object.values(body.content)) {
    const flag = schema.properties?.isPaginationNeeded;
    // Spec., List cities: "true or the string true".
    if (flag) Object.assign(flag, { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] });
  }
}

function namePayload(envelope: Schema, name: string | undefined, schemas: Record<string, Schema>): void {
  const data = envelope.properties?.data;
  if (!envelope.properties || !data || name === undefined) return;
  const reference = { $ref: `#/components/schemas/${name}` };
  schemas[name] = data.items ?? data;
  envelope.properties.data = data.items ? { ...data, items: reference } : reference;
}

/** A list that is paginated on request has an example of either answer. */
function addExamples(media: Media, schemas: Record<string, Schema>): void {
  const value = exampleOf(media.schema, schemas) as Record<string, unknown>;
  if (!('pagination' in value) || media.schema.required?.includes('pagination')) {
    media.example = value;
    return;
  }
  const { pagination: _, ...full } = value;
  media.examples = {
    full: { summary: 'The full list (abridged)', value: full },
    page: { summary: 'With isPaginationNeeded (abridged)', value },
  };
}

function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const [example = schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.items) return [exampleOf(schema.items, schemas)];
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property, schemas)]),
  );
}
