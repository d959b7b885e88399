import type { english } from '../english/history.ts';

/** Die Texte des Verlaufs. */
export const historyTexts: typeof english = {
  lead: 'Wer wann was geändert hat, das Neueste zuerst.',
  ofPerson: (name) => `Änderungen zu ${name}, das Neueste zuerst.`,
  table: 'Änderungen',
  when: 'Wann',
  who: 'Wer',
  what: 'Was',
  changes: 'Von → nach',
  all: 'Alle Änderungen anzeigen',
  company: 'Firma',
  everything: 'Alles, was Sie sehen dürfen',
  actions: { added: 'hinzugefügt', changed: 'geändert', removed: 'entfernt', erased: 'Werte gelöscht' },
  entities: {
    company: 'Firma',
    department: 'Abteilung',
    band: 'Karrierestufe',
    user: 'Person',
    companyRole: 'Rolle in einer Firma',
    systemRole: 'Rolle auf der Plattform',
    approvalPolicy: 'Genehmigungsregel',
    approvalPolicyLevel: 'Stufe einer Regel',
    apiKey: 'API-Schlüssel',
    webhook: 'Webhook',
  },
  actors: { user: 'Jemand', key: 'Ein API-Schlüssel', import: 'Ein Import', command: 'Ein Befehl des Betreibers' },
  you: 'Sie',
  notKept: 'Wert nicht gespeichert',
  empty: 'leer',
  yes: 'ja',
  no: 'nein',
};
