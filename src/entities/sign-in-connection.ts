import { SIGNATURE_ALGORITHMS } from '../lib/signature-algorithms.ts';
import { mayNamePerson } from '../lib/subject-claims.ts';
import { companyId } from './department.ts';
import { type AuditedEntity, withColumns } from './entity.ts';
import { formedText, uuidList } from './formed-values.ts';
import { boolean, choice, text, timestamp, uuid, type ValueKind } from './values.ts';

const MAX_DOMAIN = 253;
/** Without lookaround, which many readers of the contract cannot compile: lengths are checked beside it. */
const DOMAIN = /^(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])$/;

/** The domain of an e-mail address, in lower case. */
export const domainName = formedText(
  'a domain such as acme.example',
  (given) => (given.length <= MAX_DOMAIN && DOMAIN.test(given) ? given.toLowerCase() : undefined),
  { pattern: DOMAIN.source, minLength: 4, maxLength: MAX_DOMAIN },
);

/** Returns the TXT record by which the owner of a domain names the company. */
export function proofOf(domain: string, companyId: string): { name: string; text: string } {
  return { name: `_orgdesk.${domain}`, text: `orgdesk=${companyId}` };
}

/** The issuer of a provider, which is checked after the other fields. */
export const issuer: ValueKind<string> = {
  ...text(500),
  rule: 'an address with https and without a query, such as https://id.example/realm, or any text with a discoveryUrl',
};

const subjectClaim = formedText(
  'the name of a claim, of up to 100 characters, that names one person for ever',
  (given) => (/^[\x21-\x7e]{1,100}$/.test(given) && mayNamePerson(given) ? given : undefined),
  { minLength: 1, maxLength: 100 },
);

/** Domains in the form in which they are stored. */
const domainList = formedText('domains separated by spaces', (given) => given);

/** An identity provider by which the people of a company sign in. */
export const signInConnection = {
  name: 'signInConnection',
  noun: 'sign-in connection',
  table: 'sign_in_connections',
  id: 'id',
  unique: [{ fields: ['companyId', 'issuer', 'audience'], constraint: 'sign_in_connections_issuer' }],
  hasTimestamps: true,
  title: ['issuer'],
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '0b6f5c1e-3d2a-4f7b-8c9d-1e2f3a4b5c6d' },
    companyId,
    issuer: {
      kind: issuer,
      description: '`iss` of its tokens',
      example: 'https://acme.okta.com/oauth2/default',
    },
    discoveryUrl: {
      kind: text(500),
      nullable: true,
      description: 'Its discovery document; null: at `.well-known/openid-configuration` below the issuer',
      example: null,
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
      kind: subjectClaim,
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
    guests: {
      kind: boolean,
      default: false,
      description:
        'Whether it also signs in people of other companies who hold a role in this one, with that role alone',
      example: false,
    },
    demandedText: {
      column: 'demanded_claims',
      kind: formedText('a JSON object of claims', (given) => given),
      default: '{}',
      example: '{"hd":"acme.example"}',
    },
    domainNames: {
      column: 'domains',
      kind: domainList,
      default: '',
      rows: { table: 'sign_in_domains', of: 'connection_id', value: 'domain' },
      example: 'acme.example',
    },
    sharedText: {
      column: 'shared_with',
      kind: uuidList,
      default: '',
      example: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    },
    agreedText: { column: 'agreed_by', kind: uuidList, default: '', example: '' },
    relinkUntil: {
      kind: timestamp,
      nullable: true,
      description:
        'Until when an account with the verified address of a person takes the place of the one that is linked, as after ' +
        'a new app registration at the provider; null: never',
      example: null,
    },
    active: { kind: boolean, default: true, example: true },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2026-01-31T09:30:00.000Z' },
  }),
} as const satisfies AuditedEntity;
