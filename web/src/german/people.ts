import type * as english from '../english/people.ts';

function people(count: string): string {
  return count === '1' ? '1 Person' : `${count} Personen`;
}

/** Die Texte der Seiten über Personen. */
export const peopleTexts: typeof english.peopleTexts = {
  lead: (company) => `Alle, die bei ${company} arbeiten.`,
  searchHint: 'Name oder E-Mail-Adresse',
  table: 'Personen',
  add: 'Person hinzufügen',
  import: 'Personen importieren',
  edit: 'Bearbeiten',
  chart: 'Organigramm',
  chartLead: (company) => `Wer bei ${company} wem untersteht. Mit den Pfeiltasten bewegen Sie sich darin.`,
  chartOf: 'Zeige die Linie von',
  name: 'Name',
  email: 'E-Mail',
  workEmail: 'Dienstliche Adresse',
  department: 'Abteilung',
  band: 'Karrierestufe',
  role: 'Rolle',
  roles: 'Rollen',
  approvalLimit: 'Genehmigungslimit',
  status: 'Status',
  show: 'Anzeigen',
  shown: {
    all: 'Alle',
    activeOnly: 'Aktive',
    inactiveOnly: 'Inaktive',
    signedIn: 'Die sich noch nie angemeldet haben',
    guests: 'Gäste aus anderen Firmen',
  },
  sort: 'Sortieren nach',
  sorts: {
    name: 'Name, A bis Z',
    '-name': 'Name, Z bis A',
    '-approvalLimit': 'Höchstes Limit zuerst',
    approvalLimit: 'Niedrigstes Limit zuerst',
    '-updatedAt': 'Neueste Änderung zuerst',
  },
  bestMatch: 'Beste Treffer',
  guest: 'Ein Gast, der in einer anderen Firma arbeitet: Hier sind nur die Rollen in Ihrer Firma bekannt.',
  everyDepartment: 'Alle Abteilungen',
  everyBand: 'Alle Karrierestufen',
  everyRole: 'Alle Rollen',
  added: (name) => `${name} wurde hinzugefügt.`,
  saved: (name) => `${name} wurde gespeichert.`,
  deactivate: 'Deaktivieren',
  deactivateText: (name) =>
    `${name} wird abgemeldet und kann sich nicht mehr anmelden. Die Daten bleiben erhalten, die Person lässt sich wieder aktivieren.`,
  left: {
    title: 'Was ohne diese Person offen bleibt',
    people: (count) => `${people(count)}, die sie führt`,
    department: (name) => `${name}: Sie leitet diese Abteilung`,
    policy: (name) => `${name}: Es kann weniger genehmigt werden`,
    keys: (count) =>
      count === '1' ? 'Ein API-Schlüssel, für den sie einsteht' : `${count} API-Schlüssel, für die sie einsteht`,
    substitutes: (count) => `${people(count)}, die sie vertritt`,
  },
  deactivated: (name) => `${name} wurde deaktiviert.`,
  activate: 'Wieder aktivieren',
  activateText: (name) => `${name} kann sich wieder anmelden, mit den bisherigen Rollen.`,
  activated: (name) => `${name} ist wieder aktiv.`,
  about: 'Persönliche Angaben',
  rolesHere: 'Rollen in dieser Firma',
  platformRole: 'Rolle auf der Plattform',
  noPlatformRole: 'Keine Rolle auf der Plattform',
  rolesMeaning: {
    CORPORATE_ADMIN: 'verwaltet die Firma, ihre Personen, Regeln und Schlüssel',
    MANAGER: 'sieht die Listen der Firma und genehmigt',
    EMPLOYEE: 'sieht das eigene Profil',
    SUPER_ADMIN: 'verwaltet alle Firmen und ihre Personen',
    PLATFORM_RM: 'sieht alle Firmen und genehmigt',
  },
  giveRole: 'Rolle vergeben',
  giveRoleText: (name, role, meaning) => `${name} bekommt die Rolle ${role}: ${meaning}.`,
  takeRole: 'Rolle entziehen',
  takeRoleText: (name, role) => `${name} verliert die Rolle ${role}. Sie lässt sich wieder vergeben.`,
  revokeKeys: (count) =>
    count === 1 ? 'Den erstellten API-Schlüssel widerrufen' : `Die ${count} erstellten API-Schlüssel widerrufen`,
  roleGiven: (role) => `Die Rolle ${role} wurde vergeben.`,
  roleTaken: (role) => `Die Rolle ${role} wurde entzogen.`,
  protected:
    'Diese Person hat eine Rolle auf der Plattform oder in einer anderen Firma. Deshalb kann nur ein Super-Admin ihre E-Mail-Adresse ändern oder sie deaktivieren.',
  ownLimit: 'Das eigene Limit und die eigene Karrierestufe kann nur ein anderer Firmen-Admin ändern.',
  lastAdmin:
    'Das ist der einzige aktive Firmen-Admin dieser Firma. Geben Sie die Rolle zuerst jemand anderem, damit die Firma verwaltet bleibt.',
  lastAdminSelf:
    'Sie sind der einzige aktive Firmen-Admin dieser Firma. Geben Sie die Rolle zuerst jemand anderem, damit die Firma verwaltet bleibt.',
  approves: 'Was die Person genehmigen darf',
  approvesNothing: 'Keine Regel verlangt bis zu ihrem Genehmigungslimit eine ihrer Rollen.',
  approvesFrom: (role, from, to) => `als ${role}, ab ${from} bis ${to}`,
  notSet: (fields) => `Noch nicht angegeben: ${fields}`,
  defaults: 'Standard der Firma',
  selected: (count) => `${count} ausgewählt`,
  select: (name) => `${name} auswählen`,
  selectPage: 'Alle auf dieser Seite auswählen',
  selectAll: (count) => `Alle ${count} dieser Liste auswählen`,
  clearSelection: 'Auswahl aufheben',
  editMany: (count) => `${people(count)} bearbeiten`,
  unchanged: 'Unverändert lassen',
  changeRole: 'Rolle',
  addRole: (role) => `${role} hinzufügen`,
  removeRole: (role) => `${role} entfernen`,
  changeStatus: 'Status',
  confirmAdmins: 'Sie verwalten dann die Firma, ihre Personen, Regeln und Schlüssel.',
  adminsUnconfirmed: 'Bestätigen Sie, dass diese Personen Firmen-Admins werden.',
  willChange: (count, same) =>
    same === '0'
      ? `Änderungen bei ${people(count)}.`
      : `Änderungen bei ${people(count)}. ${same} haben diese Werte bereits.`,
  chooseChange: 'Wählen Sie, was sich ändern soll.',
  signedOut: (count) =>
    `${people(count)} ${count === '1' ? 'wird abgemeldet und kann' : 'werden abgemeldet und können'} sich nicht mehr anmelden.`,
  changedMany: (count) => `${people(count)} geändert.`,
  notChanged: (count) => `Nicht geändert: ${people(count)}`,
};
