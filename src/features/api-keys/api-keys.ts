/** Public interface of this feature for other features. */
export { countKeysMade, revokeKeysMade } from './keys-made.ts';
