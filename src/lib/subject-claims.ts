/** Claims of tokens that many people share, or that change hands. */
const NAMELESS: ReadonlySet<string> = new Set([
  ...['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'azp', 'nonce', 'at_hash', 'c_hash', 'acr', 'amr', 'auth_time', 'sid'],
  ...['email', 'email_verified', 'name', 'given_name', 'family_name', 'middle_name', 'locale', 'zoneinfo', 'picture'],
  ...['profile', 'website', 'gender', 'birthdate', 'phone_number', 'phone_number_verified', 'address', 'scope', 'scp'],
  ...['roles', 'groups', 'typ', 'tid', 'hd', 'ver', 'client_id', 'appid', 'cid'],
]);

/** Returns whether a claim can name one person for ever. */
export function mayNamePerson(claim: string): boolean {
  return !NAMELESS.has(claim);
}
