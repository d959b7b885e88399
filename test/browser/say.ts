import { englishApprovals, englishCompany } from '../../web/src/english/company.ts';
import { english as history } from '../../web/src/english/history.ts';
import { english as importing } from '../../web/src/english/import.ts';
import { englishKeys, englishWebhooks } from '../../web/src/english/keys.ts';
import { english as overview } from '../../web/src/english/overview.ts';
import { english as pages } from '../../web/src/english/pages.ts';
import { english as people } from '../../web/src/english/people.ts';
import { english as profile } from '../../web/src/english/profile.ts';
import { english as first } from '../../web/src/english/texts.ts';
import { approvalTexts, companyTexts } from '../../web/src/german/company.ts';
import { historyTexts } from '../../web/src/german/history.ts';
import { importTexts } from '../../web/src/german/import.ts';
import { keyTexts, webhookTexts } from '../../web/src/german/keys.ts';
import { overviewTexts } from '../../web/src/german/overview.ts';
import { pageTexts } from '../../web/src/german/pages.ts';
import { peopleTexts } from '../../web/src/german/people.ts';
import { profileTexts } from '../../web/src/german/profile.ts';
import { texts } from '../../web/src/german/texts.ts';

/** Says a text of the English console in the language that the console speaks. */
export type Say = (english: string) => string;

const GERMAN = new Map<string, string>();
const TABLES: readonly (readonly [english: object, german: object])[] = [
  [first, texts],
  [pages, pageTexts],
  [people, peopleTexts],
  [profile, profileTexts],
  [englishCompany, companyTexts],
  [englishApprovals, approvalTexts],
  [englishKeys, keyTexts],
  [englishWebhooks, webhookTexts],
  [history, historyTexts],
  [importing, importTexts],
  [overview, overviewTexts],
];
for (const [english, german] of TABLES) pair(english, german);

function isText(value: unknown): value is (...values: string[]) => unknown {
  return typeof value === 'function';
}

/** What takes values is known with ones in their places; undefined where it takes others. */
function withOnes(text: (...values: string[]) => unknown): unknown {
  try {
    return text('1', '1', '1', '1');
  } catch {
    return undefined;
  }
}

function pair(english: unknown, german: unknown): void {
  if (typeof english === 'string' && typeof german === 'string') {
    if (!GERMAN.has(english)) GERMAN.set(english, german);
  } else if (isText(english) && isText(german)) {
    pair(withOnes(english), withOnes(german));
  } else if (english !== null && typeof english === 'object' && german !== null && typeof german === 'object') {
    const translated = german as Readonly<Record<string, unknown>>;
    for (const [key, value] of Object.entries(english)) pair(value, translated[key]);
  }
}

/** @throws Error for a text that the German console does not have */
export function sayIn(locale: string): Say {
  if (!locale.startsWith('de')) return (english) => english;
  return (english) => {
    const german = GERMAN.get(english);
    if (german === undefined) throw new Error(`The German console has no words for: ${english}`);
    return german;
  };
}
