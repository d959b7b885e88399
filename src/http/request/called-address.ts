import type { FastifyRequest } from 'fastify';

const SCHEME = /^https?$/i;
/** `uri-host [ ":" port ]` (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~!$&'()*+;=:@%-]+)+\/?$/;

/**
 * Returns the base URL by which a client called the service, such as `https://host/prefix`; empty where no host is known.
 * From a trusted proxy `X-Forwarded-Proto`, `-Host` and `-Prefix` are read: of several values the first, which the proxy
 * nearest to the client set; prefixes are concatenated.
 */
export function calledAddress({ raw }: FastifyRequest, isTrusted: (address: string) => boolean): string {
  const { headers, socket } = raw;
  const isProxy = isTrusted(socket.remoteAddress ?? '');
  const valuesOf = (name: string, form: RegExp) =>
    isProxy
      ? String(headers[name] ?? '')
          .split(',')
          .map((value) => value.trim())
          .filter((value) => form.test(value))
      : [];
  const [host = headers.host ?? ''] = valuesOf('x-forwarded-host', HOST);
  if (host === '') return '';
  const [scheme = 'encrypted' in socket ? 'https' : 'http'] = valuesOf('x-forwarded-proto', SCHEME);
  const prefixes = valuesOf('x-forwarded-prefix', PREFIX).map((prefix) => prefix.replace(/\/$/, ''));
  return `${scheme.toLowerCase()}://${host}${prefixes.join('')}`;
}
