/** Whether the reader's browser prefers German to English; readers of other languages get English. */
export const isGerman = /^de\b/i.test(navigator.languages.find((language) => /^(?:de|en)\b/i.test(language)) ?? '');

/** The German texts, all in one file; undefined for readers of English. */
export const german = isGerman ? await import('./german/german.ts') : undefined;
