import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is known of the proxies in front of the service. */
export interface TrustedProxy {
  isTrusted: (address: string) => boolean;
  /** `BASE_PATH`: holds where no trusted proxy sends `X-Forwarded-Prefix`. */
  basePath: string;
}

const SCHEME = /^https?$/i;
/** `uri-host [ ":" port ]` (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~!$&'()*+;=:@%-]+)+\/?$/;

/**
 * Returns the base URL by which a client called the service, such as `https://host/prefix`; empty where no host is known.
 * From a trusted proxy `X-Forwarded-Proto`, `-Host` and `-Prefix` are read: of several values the first, which the proxy
 * nearest to the client set; prefixes are concatenated.
 */
export function calledAddress({ raw }: FastifyRequest, proxy: TrustedProxy): string {
  const { headers, socket } = raw;
  const [host = headers.host ?? ''] = forwarded(raw, proxy, 'x-forwarded-host', HOST);
  if (host === '') return '';
  const [scheme = 'encrypted' in socket ? 'https' : 'http'] = forwarded(raw, proxy, 'x-forwarded-proto', SCHEME);
  return `${scheme.toLowerCase()}://${host}${calledPath(raw, proxy)}`;
}

/** Returns the path below which the request of a reply called the service. */
export type CalledPath = (reply: FastifyReply) => string;

/** Returns the path below which a client called the service, without a slash at its end; empty for the root of a host. */
export function calledPath(raw: IncomingMessage, proxy: TrustedProxy): string {
  const prefixes = forwarded(raw, proxy, 'x-forwarded-prefix', PREFIX);
  return prefixes.length === 0 ? proxy.basePath : prefixes.map((prefix) => prefix.replace(/\/$/, '')).join('');
}

function forwarded({ headers, socket }: IncomingMessage, { isTrusted }: TrustedProxy, name: string, form: RegExp) {
  if (!isTrusted(socket.remoteAddress ?? '')) return [];
  const values = String(headers[name] ?? '').split(',');
  return values.map((value) => value.trim()).filter((value) => form.test(value));
}

/** Returns the URL of a request without the base path, which a proxy may leave in it. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** Returns an HTML page whose links and files begin with a path. */
export function underPath(html: string, path: string): string {
  return html.replaceAll(/\b(href|src)="\.?\/(?!\/)/g, (_, name) => `${name}="${path}/`);
}
