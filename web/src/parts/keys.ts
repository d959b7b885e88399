import { keep, kept } from '../storage.ts';

const STORED = 'orgdesk.keys';

/** Returns the Latin letter of a pressed key; on keyboards with other letters, that of the same place. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1] ?? '').toLowerCase();
}

/** Returns whether what has the focus takes typed text, so that a character is no key of the page. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), textarea, select');
}

/** Returns whether letters without Ctrl are keys of a focused row. */
export function areLettersOn(): boolean {
  return kept('localStorage', STORED)?.letters !== false;
}

export function switchLetters(letters: boolean): void {
  keep('localStorage', STORED, { letters });
}
