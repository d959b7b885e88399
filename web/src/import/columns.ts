import { isCanonicalUuid } from '../../../src/entities/uuid.ts';

/** The columns that the service takes, in the order of the preview, each with what people call it in English and German. */
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

/** Where a column of the file goes. `fullName` is split in two; empty: it is left out. */
export type Target = ImportField | 'fullName' | '';

const FULL_NAMES = 'fullname name employeename displayname nameofemployee vorundnachname mitarbeitername';

const TARGETS: ReadonlyMap<string, Target> = new Map(
  [...Object.entries(NAMES), ['fullName', FULL_NAMES] as const].flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as Target] as const),
  ),
);
/** Targets that take the ids of the service alone: `ID` mostly names something else. */
const OF_IDS: Readonly<Partial<Record<Target, Target>>> = { id: '', departmentId: 'department', bandId: 'band' };

/** The choices that were made for columns before, by {@link plainName}. */
export type RememberedTargets = Readonly<Record<string, Target>>;

/** The name of a column without case, accents, and whatever is neither letter nor digit. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns where each column of a header goes. What was chosen before comes first; full names are left out until somebody asks to
 * split them.
 *
 * @param firstValue the first value of a column that is not empty
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

/** Whether the name of a column says that it holds first and last names together. */
export function isFullName(name: string): boolean {
  return TARGETS.get(plainName(name)) === 'fullName';
}

/** The fields that columns fill in, in the order of the preview. */
export function fieldsOf(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return IMPORT_FIELDS.filter((field) => filled.includes(field));
}

/** The fields that more than one column would fill in: which of them counts is for a person to say. */
export function doubledFields(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return IMPORT_FIELDS.filter((field) => filled.indexOf(field) !== filled.lastIndexOf(field));
}

/** What columns fill in, one behind the other. */
function filledBy(targets: readonly Target[]): Target[] {
  return targets.flatMap((target): Target[] => (target === 'fullName' ? ['firstName', 'lastName'] : [target]));
}

/** Splits a name: at a comma, behind which the first name stands, else at the last blank. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [, family, given] = /^([^,]+),([^,]+)$/.exec(name) ?? [];
  if (family !== undefined && given !== undefined) return { firstName: given.trim(), lastName: family.trim() };
  const [, first = name, last = ''] = /^(.*\S)\s+(\S+)$/s.exec(name.trim()) ?? [];
  return { firstName: first.trim(), lastName: last };
}
