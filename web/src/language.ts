/** Whether the reader's browser asks for German before English; other languages are not there yet, and read English. */
export const isGerman = /^de\b/i.test(navigator.languages.find((language) => /^(?:de|en)\b/i.test(language)) ?? '');
