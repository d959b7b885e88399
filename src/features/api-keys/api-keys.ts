/** What other features use of API keys. */
export { countKeysMade, revokeKeysMade } from './keys-made.ts';
