import * as english from './english/english.ts';
import { german } from './language.ts';

/** All texts in the language of the reader. */
export const {
  texts,
  approvalTexts,
  companyTexts,
  historyTexts,
  importTexts,
  keyTexts,
  overviewTexts,
  pageTexts,
  peopleTexts,
  profileTexts,
  providerTexts,
  webhookTexts,
} = german ?? english;

/** Returns the display name of a role; an unknown role as it is. */
export function roleName(role: string): string {
  return texts.roles[role] ?? role;
}

export function roleNames(roles: readonly string[]): string {
  return roles.length === 0 ? texts.signIn.noRole : roles.map(roleName).join(', ');
}
