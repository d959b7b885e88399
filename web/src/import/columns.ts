import { isCanonicalUuid } from '../../../src/entities/uuid.ts';

/** The columns of the import, in the order of the preview, with their usual names in English and German. */
const NAMES = {
  email:
    'email emailid emailaddress mail mailid mailaddress workemail companyemail officialemail officialemailid businessemail ' +
    'emailadresse mailadresse dienstlicheemail',
  firstName: 'firstname first givenname forename fname vorname vornamen rufname',
  lastName: 'lastname last surname familyname lname nachname familienname zuname',
  phone:
    'phone phoneno phonenumber mobile mobileno mobilenumber mobilephone cell cellphone contactno contactnumber telephone ' +
    'telephoneno telephonenumber tel telno telefon telefonnummer telnr handy handynr handynummer mobil mobilnummer ' +
    'mobiltelefon rufnummer',
  department:
    'department dept deptname departmentname deptcode departmentcode departmentcostcode costcode costcenter costcentre ' +
    'abteilung abteilungsname abt kostenstelle',
  departmentId: 'departmentid deptid abteilungsid',
  band: 'band bandname bandcode employeeband grade paygrade jobgrade karrierestufe stufe',
  bandId: 'bandid',
  approvalLimit: 'approvallimit approvalamount genehmigungsgrenze genehmigungslimit freigabegrenze freigabelimit',
  roles: 'roles role accessrole rollen rolle',
  active: 'active isactive status aktiv',
  dateOfBirth: 'dateofbirth dob birthdate birthday birthdt geburtsdatum geburtstag gebdatum',
  gender: 'gender sex geschlecht',
  addressLine1:
    'addressline1 address1 address streetaddress street adresse adresszeile1 adresse1 anschrift strasse straße',
  addressLine2: 'addressline2 address2 addresssecondline adresszusatz adresszeile2 adresse2',
  pincode: 'pincode pin pinno postalcode postcode zip zipcode plz postleitzahl',
  clientType: 'clienttype kundentyp',
  loyaltyPoints: 'loyaltypoints treuepunkte',
  id: 'id userid benutzerid',
} as const;

export type ImportField = keyof typeof NAMES;
export const IMPORT_FIELDS = Object.keys(NAMES) as readonly ImportField[];

/** The target of a column in the file. `fullName` is split in two; empty: ignored. */
export type Target = ImportField | 'fullName' | '';

const FULL_NAMES = 'fullname name employeename displayname nameofemployee vorundnachname mitarbeitername';

const TARGETS: ReadonlyMap<string, Target> = new Map(
  [...Object.entries(NAMES), ['fullName', FULL_NAMES] as const].flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as Target] as const),
  ),
);
/** Targets that take only ids of the service, and those for columns with other values: `ID` usually means something else. */
const OF_IDS: Readonly<Partial<Record<Target, Target>>> = { id: '', departmentId: 'department', bandId: 'band' };

/** Targets chosen before, by {@link plainName}. */
export type RememberedTargets = Readonly<Record<string, Target>>;

/** Returns the name of a column without case, accents, and characters other than letters and digits. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Suggests the target of each column of a header. Earlier choices come first; full names are ignored until the user
 * asks to split them.
 *
 * @param firstValue returns the first non-empty value of a column
 */
export function matchColumns(
  header: readonly string[],
  firstValue: (column: number) => string,
  remembered: RememberedTargets,
): Target[] {
  return header.map((name, column) => {
    const plain = plainName(name);
    const chosen = remembered[plain];
    if (chosen !== undefined) return chosen;
    const target = TARGETS.get(plain) ?? '';
    if (target === 'fullName') return '';
    const other = OF_IDS[target];
    return other === undefined || isCanonicalUuid(firstValue(column)) ? target : other;
  });
}

/** Returns whether a column's name indicates full names. */
export function isFullName(name: string): boolean {
  return TARGETS.get(plainName(name)) === 'fullName';
}

/** Returns the fields that the columns fill in, in the order of the preview. */
export function fieldsOf(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return IMPORT_FIELDS.filter((field) => filled.includes(field));
}

/** Returns the fields that more than one column fills in: the user has to decide which one counts. */
export function doubledFields(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return IMPORT_FIELDS.filter((field) => filled.indexOf(field) !== filled.lastIndexOf(field));
}

/** Returns the fields that the columns fill in, in the order of the columns, with repetitions. */
function filledBy(targets: readonly Target[]): Target[] {
  return targets.flatMap((target): Target[] => (target === 'fullName' ? ['firstName', 'lastName'] : [target]));
}

/** Splits a full name at a comma, which the first name follows, otherwise at the last space. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [, family, given] = /^([^,]+),([^,]+)$/.exec(name) ?? [];
  if (family !== undefined && given !== undefined) return { firstName: given.trim(), lastName: family.trim() };
  const [, first = name, last = ''] = /^(.*\S)\s+(\S+)$/s.exec(name.trim()) ?? [];
  return { firstName: first.trim(), lastName: last };
}
