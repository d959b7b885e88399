import { hash, randomBytes } from 'node:crypto';
import { ApiError } from '../../entities/api-error.ts';
import { decrypt, encrypt } from '../../lib/encryption.ts';

/** Encrypts and decrypts numbers of documents and programmes. */
export interface ProfileKeys {
  /** @param owner id of the person, without whom the number cannot be read @throws ApiError `NOT_CONFIGURED` without a key */
  seal(number: string, owner: string): string;
  /** @throws ApiError `NOT_CONFIGURED` if the key that wrapped it is not there */
  open(sealed: string, owner: string): string;
  /** Wraps the key of a number by the present `PROFILE_KEY`; undefined if it is wrapped so already. */
  rewrap(sealed: string, owner: string): string | undefined;
}

const KEY_BYTES = 32;

/**
 * Opens the keys of profiles. Each number has a random key of its own, which `PROFILE_KEY` wraps: `KEY_ID.WRAPPED_KEY.NUMBER`, in base64url.
 *
 * @param secrets `PROFILE_KEY` and the one before; none: nothing can be sealed
 */
export function profileKeys(...secrets: readonly (string | undefined)[]): ProfileKeys {
  const wrapping = secrets.flatMap((secret) => {
    if (secret === undefined) return [];
    const key = hash('sha256', secret, 'buffer');
    return [{ id: hash('sha256', key, 'hex').slice(0, 8), key }];
  });
  const [present] = wrapping;

  function unwrap(sealed: string, owner: string): { keyId: string; key: Buffer; number: string } {
    const [keyId = '', wrapped = '', number = ''] = sealed.split('.');
    const known = wrapping.find(({ id }) => id === keyId);
    if (known === undefined) throw notConfigured();
    return { keyId, key: decrypt(wrapped, known.key, owner), number };
  }

  function wrap(key: Buffer, number: string, owner: string): string {
    if (present === undefined) throw notConfigured();
    return [present.id, encrypt(key, present.key, owner), number].join('.');
  }

  return {
    seal(number, owner) {
      const key = randomBytes(KEY_BYTES);
      return wrap(key, encrypt(number, key, owner), owner);
    },
    open(sealed, owner) {
      const { key, number } = unwrap(sealed, owner);
      return decrypt(number, key, owner).toString();
    },
    rewrap(sealed, owner) {
      const { keyId, key, number } = unwrap(sealed, owner);
      return keyId === present?.id ? undefined : wrap(key, number, owner);
    },
  };
}

function notConfigured(): ApiError {
  return new ApiError('NOT_CONFIGURED', 'Numbers of documents and programmes need the PROFILE_KEY of this service.');
}
