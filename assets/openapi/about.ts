import { PROGRAM } from '../../src/lib/program.ts';

const SCHEME = 'accessToken';

/** How callers show who they are. */
export const SECURITY = {
  required: [{ [SCHEME]: [] }],
  components: {
    securitySchemes: {
      [SCHEME]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user’s access token' },
    },
  },
};

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of answers. */
export const DESCRIBED_HEADERS = {
  'X-Request-Id': text('Names this request in the log'),
  ETag: text('The version of what is answered'),
  Allow: text('With 405: the methods that the path has'),
  'WWW-Authenticate': text('How to authenticate (RFC 6750), and what was wrong with the token'),
  RateLimit: text('What is left: r requests for the next t seconds (IETF draft RateLimit header fields for HTTP)'),
  'RateLimit-Policy': text('What is allowed: q requests in w seconds'),
  'Retry-After': { description: 'Seconds after which to try again', schema: { type: 'integer' } },
};

/** What the OpenAPI document says of the service as a whole. */
export const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'orgdesk',
    version: PROGRAM.version,
    contact: { name: 'orgdesk', url: 'https://orgdesk.example', email: 'support@orgdesk.example' },
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    description:
      'Profiles that people look after themselves, a public geography master, and the administration of companies, ' +
      'approval policies and departments.\n\n' +
      'Cities, states and countries come from the Countries States Cities Database, https://github.com/dr5hn/countries-states-cities-database, ' +
      'made available under the Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/. ' +
      'Populations, alternate names and missing cities come from GeoNames, https://www.geonames.org, under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. ' +
      'More alternate names come from Unicode CLDR, https://cldr.unicode.org, under the Unicode License v3, https://www.unicode.org/license.txt.',
  },
  servers: [{ url: '/', description: 'This service' }],
};

/** What the operations are about, by name. Messages call one of it by its noun; what is unique of it beside its id. */
export const TAGS: readonly { name: string; noun: string; unique?: string; description: string }[] = [
  { name: 'API keys', noun: 'API key', description: 'By which other systems call the service' },
  {
    name: 'Approval policies',
    noun: 'approval policy',
    description: 'For Corporate Admins and Managers of the company',
  },
  {
    ...{ name: 'Audit', noun: 'change' },
    description: 'Who changed what of whom: what concerns the caller, and what they administer',
  },
  { name: 'Bands', noun: 'band', description: 'For Corporate Admins and Managers of the company' },
  { name: 'Bookings', noun: 'booking', description: 'Of another system, for the counts of companies' },
  {
    ...{ name: 'Companies', noun: 'company', unique: 'gstin' },
    description: 'For the staff of the platform, and those who run a company',
  },
  { name: 'Console', noun: 'page', description: 'What the pages that people look at need to begin' },
  { name: 'Departments', noun: 'department', description: 'For Corporate Admins and Managers of the company' },
  { name: 'Geography', noun: 'place', description: 'Public, without a token' },
  { name: 'Health', noun: 'dependency', description: 'For what watches over the service, without a token' },
  { name: 'People', noun: 'user', unique: 'email', description: 'For those who look after the people of a company' },
  { name: 'Profile', noun: 'profile', description: 'What people see and change of themselves' },
  { name: 'Webhooks', noun: 'webhook', description: 'Where changes are sent as they happen' },
];
