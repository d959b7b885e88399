import { PROGRAM } from '../../src/lib/program.ts';

/** How callers show who they are; the scope of an API key is the role that an operation requires. */
export const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A user’s access token, checked as RFC8725 recommends. On the demo, `npm run --silent orgdesk -- token EMAIL` prints one; ' +
      'otherwise it comes from the identity provider.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'odk_…',
    description: 'An API key of another system with the scope that the operation names, see docs/provisioning.md',
  },
};

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of answers. */
export const DESCRIBED_HEADERS = {
  'X-Request-Id': text('Id of the request in the log'),
  ETag: text('Version of the response body'),
  'Idempotent-Replayed': text('true where this is the answer to an earlier request with the same Idempotency-Key'),
  Allow: text('With 405: the methods of the path'),
  'WWW-Authenticate': text('How to authenticate (RFC 6750), and what was wrong with the token'),
  RateLimit: text('Remaining quota: r requests for the next t seconds (IETF draft RateLimit header fields for HTTP)'),
  'RateLimit-Policy': text('Quota: q requests per w seconds'),
  'Retry-After': { description: 'Seconds after which to retry', schema: { type: 'integer' } },
};

/** What the OpenAPI document says of the service as a whole. */
export const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'orgdesk',
    version: PROGRAM.version,
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    description:
      'Self-service profiles, a public geography master, and the administration of companies, ' +
      'approval policies and departments.\n\n' +
      'Wherever an operation other than the seven of the contract takes the id of a row with an externalId, it also takes ' +
      '`externalId:` and that id, such as `externalId:D-10`.\n\n' +
      'Cities, states and countries come from the Countries States Cities Database, https://github.com/dr5hn/countries-states-cities-database, ' +
      'made available under the Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/. ' +
      'Populations, time zones, alternate names and missing cities come from GeoNames, https://www.geonames.org, under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. ' +
      'More alternate names come from Unicode CLDR, https://cldr.unicode.org, under the Unicode License v3, https://www.unicode.org/license.txt, ' +
      'from world-countries 5.1.0, https://github.com/mledoze/countries, under the ODbL 1.0, ' +
      'and from iso-3166 4.4.0 and i18n-iso-countries 7.14.0, under the MIT License.',
  },
  servers: [{ url: '/', description: 'This service' }],
};

/** What the operations are about, by name. Messages call one of it by its noun; what is unique of it next to its id. */
export const TAGS: readonly { name: string; noun: string; unique?: string; description: string }[] = [
  { name: 'API keys', noun: 'API key', description: 'Credentials of other systems that call the service' },
  {
    name: 'Approval policies',
    noun: 'approval policy',
    description: 'For Corporate Admins and Managers of the company',
  },
  {
    ...{ name: 'Audit', noun: 'change' },
    description: 'Who changed what: changes that concern the caller, or the companies that the caller administers',
  },
  { name: 'Bands', noun: 'band', description: 'For Corporate Admins and Managers of the company' },
  { name: 'Bookings', noun: 'booking', description: 'Bookings of another system, for the booking counts of companies' },
  {
    ...{ name: 'Companies', noun: 'company', unique: 'gstin' },
    description: 'For platform staff and company administrators',
  },
  { name: 'Console', noun: 'page', description: "Configuration of the console's pages" },
  {
    ...{ name: 'Cost centres', noun: 'cost centre', unique: 'code' },
    description: 'Who owns the cost centres of a company. For its Corporate Admins and Managers',
  },
  {
    ...{ name: 'Groups', noun: 'group', unique: 'name' },
    description: 'People of a company who approve together. For its Corporate Admins and Managers',
  },
  {
    ...{ name: 'Roles', noun: 'role', unique: 'key' },
    description: 'Roles of a company’s own. For its Corporate Admins and Managers',
  },
  { name: 'Departments', noun: 'department', description: 'For Corporate Admins and Managers of the company' },
  {
    name: 'Directories',
    noun: 'directory',
    description: 'What provisions a company by SCIM. For Corporate Admins of the company',
  },
  {
    ...{ name: 'Fields', noun: 'field', unique: 'key' },
    description: 'Fields of one’s own. For Corporate Admins and Managers of the company',
  },
  { name: 'Geography', noun: 'place', description: 'Public, without a token' },
  {
    name: 'Group mappings',
    noun: 'group mapping',
    description: 'What the groups of directories give to their members. For Corporate Admins of the company',
  },
  { name: 'Health', noun: 'dependency', description: 'For monitoring, without a token' },
  {
    ...{ name: 'Legal entities', noun: 'legal entity', unique: 'externalId' },
    description: 'Companies in law, with their tax registrations. For the administrators of a company',
  },
  { name: 'People', noun: 'user', unique: 'email', description: 'For the administrators of a company' },
  { name: 'Profile', noun: 'profile', description: "The caller's own profile" },
  {
    ...{ name: 'Sign-in connections', noun: 'sign-in connection', unique: 'issuer' },
    description: 'Identity providers of companies. For the administrators of a company',
  },
  { name: 'Travellers', noun: 'traveller', description: 'What people need to travel' },
  { name: 'Webhooks', noun: 'webhook', description: 'Delivery of changes as they happen' },
];
