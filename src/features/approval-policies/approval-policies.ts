/** Public interface of approval policies for other features. */
export { policiesLeftBy } from './policy-limits.ts';
