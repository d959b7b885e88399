import type { english } from '../english/provider.ts';

/** Die Texte einer Anmeldung bei einem Anbieter. */
export const providerTexts: typeof english = {
  failed: 'Die Anmeldung kam nicht zum Ende. Versuchen Sie es noch einmal.',
  denied: 'Sie wurden nicht angemeldet: Die Anmeldung wurde abgebrochen.',
  notBegunHere: 'Diese Antwort gehört zu einer Anmeldung, die nicht hier begann. Melden Sie sich neu an.',
  notForThis: 'Die Antwort der Anmeldung Ihrer Organisation gilt nicht für diese. Melden Sie sich neu an.',
  notSecure: 'Anmelden geht nur über https: Fragen Sie, wer den Dienst betreibt, nach der sicheren Adresse.',
  providerSilent: 'Die Anmeldung Ihrer Organisation antwortet nicht. Versuchen Sie es gleich noch einmal.',
  noStorage:
    'Dieser Browser merkt sich für diese Seite nichts und kann deshalb nicht anmelden: Erlauben Sie ihm, Daten zu speichern.',
};
