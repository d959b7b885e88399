/** Public interface of this feature for other features. */
export { countKeysMade, keysAnsweredBy, revokeKeysMade } from './keys-made.ts';
