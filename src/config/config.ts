import { UserError } from '../lib/errors.ts';
import type { SignatureAlgorithm } from '../lib/signature-algorithms.ts';
import { contradictionsIn } from './contradictions.ts';
import { type Environment, fileProblems, givenIn, readSettings, type Settings } from './read-settings.ts';
import { tracesUrl } from './tracing.ts';

/**
 * Each setting by its name (DATABASE_URL is `databaseUrl`; `settings-table.ts` says what it means), and those that are
 * used together.
 */
export interface Config extends Settings {
  /** Requests a minute; 0: as many as anyone likes. */
  rateLimits: { publicLists: number; user: number; writes: number; badTokens: number };
  /** Where metrics can be read; absent: nowhere, and none are kept. */
  metrics: { port: number; host: string } | undefined;
  /** Where the spans of requests are sent, the path included, and under which name; absent: there are none. */
  tracing: { url: string; serviceName: string | undefined } | undefined;
  /** Who issues the access tokens; absent: this service, or whoever has the secret. */
  identityProvider:
    | {
        /** `iss` of its tokens. */
        issuer: string;
        /** Where its keys are; absent: OpenID Connect discovery at the issuer says it. */
        jwksUrl: URL | undefined;
        algorithm: SignatureAlgorithm;
        /** Whether addresses count as verified of which it does not say that. */
        trustsEmails: boolean;
        /** The client by which people sign in to the console; absent: they bring a token. */
        client?: { id: string; scope: string | undefined };
      }
    | undefined;
}

/**
 * Reads the settings from environment variables, an empty one being an absent one.
 *
 * @throws UserError that names every wrong setting, what it holds and what is expected
 */
export function readConfig(env: Environment): Config {
  const given = givenIn(env);
  const { values, problems } = readSettings(given);
  problems.push(...fileProblems(env), ...contradictionsIn(values, given));
  if (problems.length > 0) {
    const text = `These settings are wrong:\n${problems.join('\n')}`;
    throw new UserError(`${text}\nAll settings are described in docs/configuration.md.`);
  }
  return grouped(values as Settings);
}

function grouped(settings: Settings): Config {
  const { rateLimitPublic, rateLimitUser, rateLimitWrites, rateLimitBadTokens, metricsPort, metricsHost } = settings;
  const url = tracesUrl(settings);
  return {
    ...settings,
    rateLimits: {
      publicLists: rateLimitPublic,
      user: rateLimitUser,
      writes: rateLimitWrites,
      badTokens: rateLimitBadTokens,
    },
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    tracing: url === undefined ? undefined : { url, serviceName: settings.otelServiceName },
    identityProvider: identityProviderOf(settings),
  };
}

function identityProviderOf(settings: Settings): Config['identityProvider'] {
  const { oidcIssuer, oidcClientId, oidcScope, jwksUrl, tokenIssuer, tokenAlgorithm, tokenEmailsVerified } = settings;
  if (oidcIssuer === undefined && jwksUrl === undefined) return undefined;
  const client = oidcClientId === undefined ? {} : { client: { id: oidcClientId, scope: oidcScope } };
  return { issuer: tokenIssuer, jwksUrl, algorithm: tokenAlgorithm, trustsEmails: tokenEmailsVerified, ...client };
}
