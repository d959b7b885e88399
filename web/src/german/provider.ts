import type * as english from '../english/provider.ts';

/** Die Texte einer Anmeldung bei einem Anbieter. */
export const providerTexts: typeof english.providerTexts = {
  failed: 'Die Anmeldung wurde nicht abgeschlossen. Versuchen Sie es noch einmal.',
  denied: 'Sie wurden nicht angemeldet: Die Anmeldung wurde abgebrochen.',
  notBegunHere: 'Diese Antwort gehört zu einer Anmeldung, die nicht hier begonnen wurde. Melden Sie sich neu an.',
  notForThis: 'Die Antwort Ihrer Organisation passt nicht zu dieser Anmeldung. Melden Sie sich neu an.',
  notSecure: 'Die Anmeldung ist nur über https möglich. Fragen Sie den Betreiber nach der sicheren Adresse.',
  providerSilent: 'Die Anmeldung Ihrer Organisation antwortet nicht. Versuchen Sie es gleich noch einmal.',
  noStorage:
    'Dieser Browser speichert für diese Seite nichts, deshalb ist keine Anmeldung möglich. Erlauben Sie ihm, Daten zu speichern.',
};
