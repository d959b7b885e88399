import type { english } from '../english/overview.ts';

/** Die Texte der ersten Seite derer, die für eine Firma verantwortlich sind. */
export const overviewTexts: typeof english = {
  lead: (company) => `${company} auf einen Blick.`,
  setUp: 'Noch einzurichten',
  departments: 'Abteilungen mit ihren Budgets hinzufügen',
  bands: 'Karrierestufen mit ihren Limits hinzufügen',
  policies: 'Eine Genehmigungsregel hinzufügen',
  people: 'Personen hinzufügen oder importieren',
  peopleByDepartment: 'Personen nach Abteilung',
  peopleByBand: 'Personen nach Karrierestufe',
  budgets: 'Budgets nach Abteilung',
  allPeople: 'Alle Personen',
  allDepartments: 'Alle Abteilungen',
  allBands: 'Alle Karrierestufen',
  more: (count) => `und ${count} weitere`,
  none: 'Noch keine.',
  policyWarnings: 'Auffällige Genehmigungsregeln',
  noWarnings: 'Jede Buchung kann genehmigt werden oder braucht keine Genehmigung.',
  allPolicies: 'Alle Genehmigungsregeln',
  webhooks: 'Fehlschlagende Webhooks',
  noFailing: 'Alle Webhooks stellen zu.',
  failing: (count) => `${count} Fehlversuche nacheinander`,
  disabled: 'abgeschaltet',
  allWebhooks: 'Alle Webhooks',
  changes: 'Letzte Änderungen',
  allChanges: 'Alle Änderungen',
};
