import fastifySwagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { ACCESS_TABLE } from '../auth/access-table.ts';
import { type ApiDocument, finishDocument } from './published-document.ts';

const SECURITY = 'accessToken';

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'orgdesk',
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Profiles that people look after themselves, a public geography master, and the administration of companies, ' +
        'approval policies and departments.\n\n' +
        'Cities, states and countries come from the Countries States Cities Database, https://github.com/dr5hn/countries-states-cities-database, ' +
        'made available under the Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/.',
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [
      { name: 'Profile', description: 'What people see and change of themselves' },
      { name: 'Geography', description: 'Public, without a token' },
      { name: 'Companies', description: 'For the staff of the platform' },
      { name: 'Approval policies', description: 'For Corporate Admins and Managers of the company' },
      { name: 'Departments', description: 'For Corporate Admins and Managers of the company' },
      { name: 'Audit', description: 'Who changed what of whom: what concerns the caller, and what they administer' },
      { name: 'Console', description: 'What the pages that people look at need to begin' },
      { name: 'Health', description: 'For what watches over the service, without a token' },
    ],
    components: {
      securitySchemes: {
        [SECURITY]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user’s access token' },
      },
    },
  },
  refResolver: { buildLocalReference: (json) => String(json.$id) },
  transform: ({ schema, url, route }) => ({ url, schema: { ...schema, security: securityOf(route) } }),
  transformObject: (collected) => {
    if (!('openapiObject' in collected)) throw new TypeError('The document is not one of OpenAPI 3');
    finishDocument(collected.openapiObject as ApiDocument);
    return collected.openapiObject;
  },
};

function securityOf({ config }: Partial<RouteOptions>): Record<string, string[]>[] {
  const isPublic = config?.operation !== undefined && ACCESS_TABLE[config.operation] === 'public';
  return isPublic ? [] : [{ [SECURITY]: [] }];
}

/** Collects the schemas of all routes registered afterwards into an OpenAPI 3.1 document, `app.swagger()` once it is ready. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, options);
}
