import type { FastifyRequest } from 'fastify';

const SCHEME = /^https?$/i;
/** `uri-host [ ":" port ]` (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~!$&'()*+;=:@%-]+)+\/?$/;

/**
 * Returns the address at which a client called the service, without a path of its own: `https://host/prefix`. A trusted proxy says it by
 * `X-Forwarded-Proto`, `-Host` and `-Prefix`: of several values the first, as the proxy nearest to the client set it; prefixes add up. Empty
 * where no host is known.
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
