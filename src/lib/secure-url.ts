/**
 * Parses the URL of a service with which secrets or keys are exchanged: `https`, or `http` to a loopback address, without user, password
 * and fragment. Undefined for any other text.
 */
export function readSecureUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSecure && url.username === '' && url.password === '' && !text.includes('#') ? url : undefined;
}

/** Returns whether a text can be the issuer of a provider that publishes a discovery document: a secure URL without a query. */
export function isDiscoverableIssuer(text: string): boolean {
  return readSecureUrl(text) !== undefined && !text.includes('?');
}

/** The loopback addresses (RFC 6890), in the forms that `URL` gives them. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
