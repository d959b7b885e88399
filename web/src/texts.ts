import * as english from './english/english.ts';

/** Whether the reader's browser prefers German to English; readers of other languages get English. */
export const isGerman = /^de\b/i.test(navigator.languages.find((language) => /^(?:de|en)\b/i.test(language)) ?? '');

/** All texts in the language of the reader. The German ones are a file of their own, all together. */
export const {
  texts,
  approvalTexts,
  companyTexts,
  directoryTexts,
  historyTexts,
  keyTexts,
  pageTexts,
  peopleTexts,
  profileTexts,
  providerTexts,
  webhookTexts,
}: typeof english = isGerman ? await import('./german/german.ts') : english;

/** Returns the display name of a role; an unknown role as it is. */
export function roleName(role: string): string {
  return texts.roles[role] ?? role;
}

export function roleNames(roles: readonly string[]): string {
  return roles.length === 0 ? texts.signIn.noRole : roles.map(roleName).join(', ');
}
