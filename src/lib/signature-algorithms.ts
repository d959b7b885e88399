/** Asymmetric signature algorithms of JSON Web Tokens (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];
