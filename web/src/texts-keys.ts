import { englishKeys, englishWebhooks } from './english/keys.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const keyTexts = german?.keyTexts ?? englishKeys;

/** In the language of the reader. */
export const webhookTexts = german?.webhookTexts ?? englishWebhooks;
