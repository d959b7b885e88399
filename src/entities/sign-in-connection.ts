import { SIGNATURE_ALGORITHMS } from '../lib/signature-algorithms.ts';
import { companyId } from './department.ts';
import { type AuditedEntity, withColumns } from './entity.ts';
import { formedText } from './policy-scope.ts';
import { boolean, choice, text, timestamp, uuid, type ValueKind } from './values.ts';

const DOMAIN =
  /^(?=.{4,253}$)(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])$/;

/** The domain of an e-mail address, in lower case. */
export const domainName = formedText(
  'a domain such as acme.example',
  (given) => (DOMAIN.test(given) ? given.toLowerCase() : undefined),
  { pattern: DOMAIN.source },
);

/** Returns the TXT record by which the owner of a domain names the company. */
export function proofOf(domain: string, companyId: string): { name: string; text: string } {
  return { name: `_orgdesk.${domain}`, text: `orgdesk=${companyId}` };
}

/** The issuer of a provider that publishes a discovery document, which is checked after the other fields. */
export const issuer: ValueKind<string> = {
  ...text(500),
  rule: 'an address with https and without a query, such as https://id.example/realm',
  given: { minLength: 1, maxLength: 500, pattern: '^\\s*https?://[^\\s?#]+\\s*$' },
};

/** Domains in the form in which they are stored. */
const domainList = formedText('domains separated by spaces', (given) => given);

/** An identity provider by which the people of a company sign in. */
export const signInConnection = {
  name: 'signInConnection',
  noun: 'sign-in connection',
  table: 'sign_in_connections',
  id: 'id',
  unique: [{ fields: ['issuer', 'audience'], constraint: 'sign_in_connections_issuer' }],
  hasTimestamps: true,
  title: ['issuer'],
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '0b6f5c1e-3d2a-4f7b-8c9d-1e2f3a4b5c6d' },
    companyId,
    issuer: {
      kind: issuer,
      description: '`iss` of its tokens, where its discovery document is found',
      example: 'https://acme.okta.com/oauth2/default',
    },
    audience: { kind: text(500), description: '`aud` of its tokens', example: 'api://default' },
    clientId: {
      kind: text(500),
      nullable: true,
      description: 'Its OAuth client, for programs by which people sign in; null: they bring tokens',
      example: '0oa1b2c3d4',
    },
    scope: {
      kind: text(500),
      nullable: true,
      description: 'The scopes that the console requests; null: `openid email`, and the audience as the resource',
      example: 'openid email offline_access',
    },
    algorithm: { kind: choice(SIGNATURE_ALGORITHMS), default: 'RS256', description: 'How it signs', example: 'RS256' },
    subjectClaim: {
      kind: text(100),
      default: 'sub',
      description: 'The claim that names a person for ever: `uid` for Okta, `oid` for Entra ID',
      example: 'uid',
    },
    tokenUse: {
      kind: choice(['access', 'id']),
      default: 'access',
      description: 'Whether clients send access tokens, or ID tokens where access tokens are opaque',
      example: 'access',
    },
    emailsVerified: {
      kind: boolean,
      default: false,
      description: 'Whether e-mail addresses count as verified where the provider does not state it',
      example: true,
    },
    domainNames: {
      column: 'domains',
      kind: domainList,
      default: '',
      rows: { table: 'sign_in_domains', of: 'connection_id', value: 'domain' },
      example: 'acme.example',
    },
    active: { kind: boolean, default: true, example: true },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
  }),
} as const satisfies AuditedEntity;
