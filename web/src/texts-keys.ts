import { englishKeys, englishWebhooks } from './english/keys.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const keyTexts = isGerman ? (await import('./german/keys.ts')).keyTexts : englishKeys;

/** In the language of the reader. */
export const webhookTexts = isGerman ? (await import('./german/keys.ts')).webhookTexts : englishWebhooks;
