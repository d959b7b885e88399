import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts content with a key of 32 bytes. @param context without which it cannot be decrypted @returns nonce, tag and content in base64url */
export function encrypt(content: Buffer | string, key: Buffer, context = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Decrypts what {@link encrypt} returned. @throws if it is of another key or context, or has changed */
export function decrypt(text: string, key: Buffer, context = ''): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
