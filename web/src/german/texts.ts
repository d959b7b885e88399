import type { english } from '../english/texts.ts';

/** Die Texte der ersten Seite und aller Seiten. */
export const texts: typeof english = {
  product: 'orgdesk',
  pages: {
    overview: 'Übersicht',
    profile: 'Profil',
    people: 'Personen',
    companies: 'Firmen',
    company: 'Firma',
    departments: 'Abteilungen',
    bands: 'Karrierestufen',
    policies: 'Genehmigungen',
    history: 'Verlauf',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    geography: 'Geografie',
  },
  shell: {
    pages: 'Seiten',
    skip: 'Zum Inhalt springen',
    signOut: 'Abmelden',
    signIn: 'Anmelden',
    light: 'Helle Farben verwenden',
    dark: 'Dunkle Farben verwenden',
    unsaved: 'hat ungespeicherte Änderungen',
    menu: 'Menü',
    goTo: 'Gehe zu …',
    api: 'API-Referenz',
    leave: 'Ihr Profil hat ungespeicherte Änderungen. Trotzdem abmelden und sie verlieren?',
  },
  signIn: {
    title: 'Anmelden',
    demo: 'Das ist die Demo. Als wen möchten Sie sich anmelden?',
    demoNote: 'Das geht nur auf diesem Rechner, und nur solange die Demo-Daten eingeschaltet sind (DEMO_DATA).',
    deactivated: 'deaktiviert: kann sich nicht anmelden',
    noRole: 'keine Rolle',
    provider: 'Sie melden sich mit dem Konto Ihrer Organisation an.',
    providerButton: 'Mit Ihrem Konto anmelden',
    token: 'Zugriffstoken',
    tokenNote:
      'Fügen Sie ein Zugriffstoken ein. Es bleibt im Speicher dieser Seite und ist weg, wenn Sie sie schließen.',
    tokenMissing: 'Fügen Sie zuerst ein Token ein.',
    geography: 'Die Geografie ohne Anmeldung ansehen',
    refused: 'Sie sind nicht angemeldet',
    noDemo: 'Diese Person gibt es in der Demo nicht mehr. Laden Sie die Seite neu.',
    linkNotTaken:
      'Mit diesem Link können Sie sich hier nicht anmelden: Links mit Token gelten nur für die Demo auf diesem Rechner.',
  },
  states: {
    loading: 'Wird geladen …',
    failed: 'Das konnte nicht geladen werden',
    broken: 'Diese Seite konnte nicht angezeigt werden. Wenn es wieder scheitert, laden Sie die Konsole neu.',
    offline: 'orgdesk ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung.',
    again: 'Noch einmal versuchen',
    close: 'Schließen',
    tooMany: (seconds) =>
      seconds === undefined
        ? 'Das war zu viel in kurzer Zeit. Versuchen Sie es in einer Minute noch einmal.'
        : `Das war zu viel in kurzer Zeit. Versuchen Sie es in ${seconds} s noch einmal.`,
    alone: 'Es wird automatisch noch einmal versucht.',
    partMissing:
      'Ein Teil der Konsole konnte nicht geladen werden. Vielleicht sind Sie offline, oder es gibt eine neue Version.',
    reference: (id) => `Kennung: ${id}`,
    nothing: 'Keine Treffer',
    nothingHint: 'Versuchen Sie eine andere Schreibweise oder weniger Wörter.',
    none: 'Noch keine Einträge',
    pastEnd: 'Die Liste endet vor dieser Seite',
    pastEndHint: 'Sie ist kürzer geworden, oder der Link ist falsch. Gehen Sie eine Seite zurück.',
  },
  unknown: {
    title: 'Diese Seite gibt es nicht',
    lead: 'Vielleicht ist die Adresse falsch geschrieben oder der Link veraltet.',
    back: 'Zur Startseite',
  },
  roles: {
    SUPER_ADMIN: 'Super-Admin',
    PLATFORM_RM: 'Plattform-Betreuung',
    CORPORATE_ADMIN: 'Firmen-Admin',
    MANAGER: 'Führungskraft',
    EMPLOYEE: 'Mitarbeiter/in',
  },
};
