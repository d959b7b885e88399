import type { ServerResponse } from 'node:http';
import type { Connection } from '../../auth/callers/connections.ts';
import { fetchJsonObject, guardedFetch, TIME_LIMIT } from '../../auth/tokens/fetch-json.ts';
import { discovered, discoveryUrlOf, responseTypeOf } from '../../auth/tokens/identity-provider.ts';
import { readPublishedKeys } from '../../auth/tokens/published-keys.ts';
import { type ApiError, tryAgain } from '../../entities/api-error.ts';
import { proofOf } from '../../entities/sign-in-connection.ts';
import { withoutSlot } from '../../http/connections/in-flight.ts';
import { limitByKey, unlessFull } from '../../lib/limit-by-key.ts';
import type { HostRules } from '../../lib/public-addresses.ts';
import { queryTexts } from '../../lib/resolve-host.ts';
import type { ConnectionTestView, NEEDED_FOR } from './sign-in-connections-schemas.ts';

/** Returns the texts of the TXT records of a name; an empty list without any. */
export type ResolveTexts = (name: string) => Promise<string[]>;

type NeededFor = (typeof NEEDED_FOR)[number];

/** The settings of a connection whose documents are read. */
type Tested = Omit<Connection, 'demandedText'>;

/** Looks at what others publish on behalf of requests, a few at once for each company. */
export interface Probe {
  /** Returns whether the owner of a domain names the company in DNS. @throws ApiError `TOO_MANY_REQUESTS` */
  provesDomain(domain: string, companyId: string, response: ServerResponse): Promise<boolean>;
  /** Returns what the documents of a provider lack, and which domains have their record. @throws ApiError `TOO_MANY_REQUESTS` */
  test(
    connection: Tested & { domains: string[] },
    response: ServerResponse,
    tryToken: () => Promise<ConnectionTestView['token']>,
  ): Promise<ConnectionTestView>;
}

/** Concurrent and queued looks per company; each may take five seconds. */
const LOOKS_OF_A_COMPANY = { running: 2, waiting: 60 };

function manyLooks(): ApiError {
  return tryAgain('TOO_MANY_REQUESTS', 'Much is being looked up for this company: try again shortly.', 3);
}

export function probeOf(rules: HostRules, resolveTexts: ResolveTexts = queryTexts): Probe {
  const looks = limitByKey(LOOKS_OF_A_COMPANY);
  const send = guardedFetch(rules);

  function look<Result>(companyId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result> {
    const turn = withoutSlot(response, () => looks(companyId, work));
    return unlessFull(turn, manyLooks);
  }

  async function hasRecord(domain: string, companyId: string): Promise<boolean> {
    const { name, text } = proofOf(domain, companyId);
    return (await resolveTexts(name)).includes(text);
  }

  return {
    provesDomain: (domain, companyId, response) => look(companyId, response, () => hasRecord(domain, companyId)),
    test: (connection, response, tryToken) =>
      look(connection.companyId, response, async () => {
        const { companyId, domains } = connection;
        const [problems, token, ...found] = await Promise.all([
          problemsOf(connection),
          tryToken(),
          ...domains.map(async (domain) => ({ domain, hasRecord: await hasRecord(domain, companyId) })),
        ]);
        const working = problems.every(({ neededFor }) => neededFor !== 'signIn');
        return { working, problems, domains: found, ...(token && { token }) };
      }),
  };

  async function problemsOf(tested: Tested): Promise<ConnectionTestView['problems']> {
    const { issuer, discoveryUrl, algorithm, clientId, tokenUse } = tested;
    const problems: ConnectionTestView['problems'] = [];
    const add = (neededFor: NeededFor, field: string, message: string) => problems.push({ field, message, neededFor });
    const url = discoveryUrl === null ? discoveryUrlOf(issuer) : new URL(discoveryUrl);
    const signal = AbortSignal.timeout(TIME_LIMIT);
    try {
      const document = await fetchJsonObject(url, { signal }, send);
      const found = discovered(url, issuer, document);
      const missing = (neededFor: NeededFor, field: string) =>
        add(neededFor, field, `The discovery document names no ${field} that is https.`);
      if (clientId !== null && !found.signIn) missing('console', 'authorization_endpoint or token_endpoint');
      if (tokenUse === 'access' && !found.userinfoUrl) missing('recommended', 'userinfo_endpoint');
      const lists = (neededFor: NeededFor, field: string, value: string) => {
        const listed: unknown = document[field];
        if (Array.isArray(listed) && !listed.includes(value)) add(neededFor, field, `${field} does not list ${value}.`);
      };
      if (found.signIn && clientId !== null) {
        const responseType = responseTypeOf(tokenUse, issuer, found.signIn);
        if (responseType === null)
          add('console', 'token_endpoint', 'It exchanges codes for secrets only: a page has none.');
        if (responseType === 'code') lists('recommended', 'code_challenge_methods_supported', 'S256');
        if (responseType !== null) lists('console', 'response_types_supported', responseType);
      }
      if (tokenUse === 'id') lists('recommended', 'id_token_signing_alg_values_supported', algorithm);
      lists('recommended', 'scopes_supported', 'email');
      const keys = await readPublishedKeys(await fetchJsonObject(found.jwksUrl, { signal }, send), algorithm);
      if (keys.length === 0) add('signIn', 'jwks_uri', `No key of the set is for ${algorithm}.`);
    } catch (error) {
      // The reason of a failed request may tell of the network of the service.
      const isAbout = error instanceof Error && /^https?:\/\//.test(error.message);
      add('signIn', 'issuer', isAbout ? error.message : 'The discovery document, or the set of keys, cannot be read.');
    }
    return problems;
  }
}
