import { isCanonicalUuid } from '../../entities/characters.ts';
import { FIELD_KEY } from '../../entities/formed-values.ts';
import { email } from '../../entities/values.ts';

/** What forms write behind the name of a column. */
const REMARK =
  /[[(] *(?:required|optional|read only|mandatory|pflichtfeld|erforderlich|obligatoire|obligatorio|obrigatorio) *[\])]/i;

/**
 * The columns of an import of people, in the order of the preview, with their usual names: in English, German, French, Spanish, Portuguese,
 * Italian, Dutch, Polish, Russian, Japanese, Chinese, Korean, Hindi and Thai, each as {@link plainName} returns it.
 */
const NAMES = {
  email:
    'email emailid emailaddress primaryemail mail mailid mailaddress workemail companyemail officialemail officialemailid businessemail ' +
    'emailadresse mailadresse dienstlicheemail emailgeschaftlich emaildienstlich geschaftlicheemail adresseemail ' +
    'adressemail courriel courrielprofessionnel emailprofessionnel correo correoelectronico correocorporativo emailcorporativo ' +
    'correiodeeletronico correioeletronico enderecodeemail indirizzoemail postaelettronica emailaziendale emailadres ' +
    'zakelijkemailadres werkemail adresemail adrespocztyelektronicznej メールアドレス メール eメール 电子邮件 邮箱 电子邮箱 电邮 ईमेल ईमेलपता 이메일 이메일주소 электроннаяпочта почта อีเมล',
  employeeNumber:
    'employeenumber employeeno employeeid employeecode empid empno empnr empcode empnumber staffid staffno staffnumber ' +
    'personnelnumber payrollnumber payrollid workerid personalnummer personalnr persnr mitarbeiternummer mitarbeiternr ' +
    'matricule numeroemploye matriculesalarie numerodeempleado idempleado codigoempleado legajo matricula ' +
    'numerodefuncionario codigodofuncionario numerodipendente matricolanumero matricola personeelsnummer medewerkernummer ' +
    'numerpracownika nrpracownika 社員番号 従業員番号 社員id 工号 员工编号 职工号 कर्मचारीसंख्या कर्मचारीआईडी 사번 사원번호 직원번호 табельныйномер รหัสพนักงาน',
  firstName:
    'firstname first givenname forename fname vorname vornamen rufname prenom nombre nombres primeironome nomeproprio ' +
    'voornaam roepnaam imie nomedibattesimo 名 名前 名字 प्रथमनाम पहलानाम नाम 이름 имя ชื่อ',
  lastName:
    'lastname last surname familyname lname nachname familienname zuname nomdefamille apellido apellidos sobrenome apelido ' +
    'cognome achternaam nazwisko 姓 氏 苗字 姓氏 उपनाम अंतिमनाम कुलनाम 성 фамилия นามสกุล',
  phone:
    'phone phoneno phonenumber mobile mobileno mobilenumber mobilephone cell cellphone contactno contactnumber telephone ' +
    'telephoneno telephonenumber tel telno telefon telefonnummer telnr handy handynr handynummer mobil mobilnummer ' +
    'mobilnummergeschaftlich mobiltelefon rufnummer portable numerodetelephone telefono telefonomovil movil celular telefone ' +
    'telemovel cellulare numeroditelefono telefoonnummer telefoon mobiel mobielnummer numertelefonu telefonkomorkowy ' +
    '電話番号 電話 携帯電話 携帯 电话 电话号码 手机 手机号 手机号码 联系电话 फोन फोननंबर मोबाइल मोबाइलनंबर 전화번호 휴대전화 телефон โทรศัพท์',
  department:
    'department dept deptname departmentname deptcode departmentcode departmentcostcode abteilung abteilungsname abt ' +
    'orgeinheit organisationseinheit departement departementname service departamento area setor reparto dipartimento ' +
    'ufficio afdeling dzial wydzial 部署 部門 部门 所属部门 所属 विभाग 부서 отдел подразделение แผนก',
  departmentId: 'departmentid deptid abteilungsid',
  costCenter:
    'costcode costcenter costcentre kostenstelle kostenst kst centredecout centrodecosto centrodecoste centrodecosteo ' +
    'centrodecusto centrodicosto kostenplaats miejscepowstawaniakosztow mpk コストセンター 原価部門 成本中心',
  band:
    'band bandname bandcode employeeband grade paygrade jobgrade joblevel level karrierestufe stufe entgeltgruppe niveau ' +
    'nivel livello schaal 等級 职级 级别 ग्रेड',
  bandId: 'bandid',
  jobTitle:
    'jobtitle employeetitle title designation position jobrole stelle stellenbezeichnung position funktion berufsbezeichnung poste fonction ' +
    'intituledeposte cargo puesto funcao mansione qualifica functie functietitel stanowisko 役職 職位 职位 职务 岗位 पद पदनाम 직책 직위 должность ตำแหน่ง',
  manager:
    'manager manageremail managerid managernumber supervisornumber reportingmanager reportsto reportingto linemanager supervisor supervisoremail vorgesetzter ' +
    'vorgesetzte fuhrungskraft responsable superieur jefe gerente gestor responsabile leidinggevende przelozony 上司 上级 直属上级 主管 प्रबंधक 관리자 상사 руководитель หัวหน้า',
  approvalLimit: 'approvallimit approvalamount genehmigungsgrenze genehmigungslimit freigabegrenze freigabelimit',
  roles: 'roles accessrole accessroles accessrights rollen zugriffsrolle',
  ownRoles: 'ownroles ownrole eigenerollen eigenerolle rolespropres',
  active:
    'active isactive status aktiv employmentstatus employeestatus statut estado estatus situacao stato stan 状態 在籍状況 状态 在职状态 स्थिति 재직상태 статус สถานะ',
  startDate:
    'startdate dateofjoining doj joiningdate hiredate joindate dateofhire eintrittsdatum eintritt beginn dateentree datedentree datedembauche ' +
    'fechadeingreso fechadealta datadeadmissao dataassunzione datumindienst datazatrudnienia 入社日 入职日期 कार्यभारग्रहणतिथि 입사일 датаприема วันที่เริ่มงาน',
  endDate:
    'enddate exitdate leavingdate lastworkingday terminationdate austrittsdatum austritt datesortie fechadebaja datadesaida ' +
    'datacessazione datumuitdienst datazwolnienia 退社日 退職日 离职日期 퇴사일 датаувольнения วันที่ลาออก',
  dateOfBirth:
    'dateofbirth dob birthdate birthday birthdt geburtsdatum geburtstag gebdatum datedenaissance naissance ' +
    'fechadenacimiento datadenascimento nascimento datadinascita geboortedatum dataurodzenia 生年月日 誕生日 出生日期 生日 जन्मतिथि 생년월일 датарождения วันเกิด',
  gender: 'gender sex geschlecht sexe genre genero sexo sesso genere geslacht plec 性別 性别 लिंग',
  addressLine1:
    'addressline1 address1 address streetaddress street adresse adresszeile1 adresse1 anschrift strasse straße rue ' +
    'direccion domicilio endereco rua indirizzo adres straat ulica 住所 地址 住址 पता',
  addressLine2: 'addressline2 address2 addresssecondline adresszusatz adresszeile2 adresse2',
  pincode:
    'pincode pin pinno postalcode postcode zip zipcode plz postleitzahl codepostal codigopostal cep cap kodpocztowy 郵便番号 邮编 邮政编码 पिनकोड',
  clientType: 'clienttype kundentyp',
  workerType:
    'workertype employeetype employmenttype usertype personneltype contracttype typeofemployment typeofworker workercategory employeecategory ' +
    'mitarbeitertyp mitarbeiterart beschaftigungsart anstellungsart vertragsart personalart typedecontrat typecontrat typedemploye ' +
    'tipodecontrato tipocontrato tipodeempleado tipodevinculo tipodipendente tipocontratto contracttype dienstverband soortdienstverband ' +
    'rodzajumowy typumowy 雇用形態 雇用区分 用工类型 员工类型 रोजगारप्रकार 고용형태 типзанятости ประเภทพนักงาน',
  loyaltyPoints: 'loyaltypoints treuepunkte',
  externalId: 'externalid',
  id: 'id userid benutzerid',
} as const;

export type KnownField = keyof typeof NAMES;
/** A field of one's own, of which the company decides what it takes. */
export type OwnField = `fields.${string}`;
export type ImportField = KnownField | OwnField;
export const IMPORT_FIELDS = Object.keys(NAMES) as KnownField[];

/** The target of a column in the file. `fullName` is split in two; empty: ignored. */
export type Target = ImportField | 'fullName' | '';
export const TARGETS_OF_COLUMNS: ReadonlySet<unknown> = new Set([...IMPORT_FIELDS, 'fullName', '']);

/** Returns whether a column may be given this target. */
export function isTarget(name: unknown): name is Target {
  return TARGETS_OF_COLUMNS.has(name) || isOwnField(name);
}

/** Returns whether a text is the name of a field of one's own, as columns have it. */
export function isOwnField(name: unknown): name is OwnField {
  return typeof name === 'string' && name.startsWith('fields.') && FIELD_KEY.test(name.slice('fields.'.length));
}

const FULL_NAMES =
  'fullname formattedname name nom nome employeename displayname nameofemployee vorundnachname mitarbeitername nomcomplet nometprenom nombrecompleto ' +
  'nombreyapellidos nomecompleto nominativo volledigenaam imieinazwisko 氏名 姓名 员工姓名 पूरानाम कर्मचारीकानाम 성명 фио ชื่อนามสกุล';

/** Names of columns that may hold a job or the rights of a person, which only the reader knows. */
const UNCLEAR_ROLES: ReadonlySet<string> = new Set(['role', 'rolle', 'rol', 'ruolo', 'papel']);
/** Names of other columns that mark a line as the names of the columns, though an import leaves them out. */
const LEFT_OUT = new Set(
  'salary gehalt joblocation location standort sno srno slno nr no city ort land country'.split(' '),
);

/** Names of full names that are half of one next to a column of the other half. */
const HALVES: Readonly<Record<string, { target: Target; beside: readonly string[] }>> = {
  name: { target: 'lastName', beside: ['vorname', 'vornamen', 'rufname', 'voornaam', 'prenom'] },
  nom: { target: 'lastName', beside: ['prenom', 'prenoms'] },
  nome: { target: 'firstName', beside: ['cognome', 'sobrenome', 'apelido'] },
};

const TARGETS: ReadonlyMap<string, Target> = new Map(
  [['fullName', FULL_NAMES] as const, ...IMPORT_FIELDS.map((field) => [field, NAMES[field]] as const)].flatMap(
    ([field, names]) => names.split(' ').map((name) => [plainName(name), field as Target] as const),
  ),
);
/** Targets that take only ids of the service, and those for columns with other values: `ID` usually means something else. */
const OF_IDS: Readonly<Partial<Record<Target, Target>>> = { id: '', departmentId: 'department', bandId: 'band' };

/** Targets chosen before, by {@link plainName}; of a column without a name by its number. */
export type RememberedTargets = Readonly<Record<string, Target>>;

/** Returns the name of a column without case, accents, remarks, and characters other than letters and digits; a `#` at the end is a number. */
export function plainName(name: string): string {
  return name
    .replace(REMARK, '')
    .replace(/#\s*$/, 'no')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replace(/\p{Script=Latin}\p{Mn}+/gu, (letter) => letter.replace(/\p{Mn}/gu, ''))
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/**
 * Suggests the target of each column of a header. Earlier choices come first; full names are ignored until the user
 * asks to split them.
 *
 * @param valuesOf returns the non-empty values of a column
 */
export function matchColumns(
  header: readonly string[],
  valuesOf: (column: number) => readonly string[],
  remembered: RememberedTargets,
): Target[] {
  const chosenFor = (column: number) => remembered[plainName(header[column] ?? '') || String(column + 1)];
  const names = header.map(plainName);
  const targets = names.map((plain, column): Target => {
    const chosen = chosenFor(column);
    if (chosen !== undefined) return chosen;
    const own = header[column]?.trim();
    if (isOwnField(own)) return own;
    const target = TARGETS.get(plain) ?? '';
    if (target === 'fullName') {
      const half = HALVES[plain];
      return half?.beside.some((other) => names.includes(other)) ? half.target : '';
    }
    // Whatever its name: a column of Mr and Ms is no column of jobs.
    if (target === 'active' && valuesOf(column).some((value) => MARITAL.has(plainName(value)))) return '';
    if (target === 'jobTitle' && valuesOf(column).length > 0 && valuesOf(column).every(isTitle)) return '';
    const other = OF_IDS[target];
    return other === undefined || isCanonicalUuid(valuesOf(column)[0] ?? '') ? target : other;
  });
  if (targets.includes('email')) return targets;
  // Whatever its name: a column of addresses is that of the e-mail address.
  const addresses = targets.findIndex(
    (target, column) => target === '' && chosenFor(column) === undefined && isOfAddresses(valuesOf(column)),
  );
  return targets.map((target, column) => (column === addresses ? 'email' : target));
}

export function isAddress(text: string): boolean {
  return 'value' in email.parse(text.trim());
}

/** Returns whether nearly all of the values are e-mail addresses. */
function isOfAddresses(values: readonly string[]): boolean {
  return values.length > 0 && values.filter(isAddress).length >= values.length * 0.8;
}

/** Lines at the beginning of a table among which its header is looked for. */
const FIRST_LINES = 30;

/**
 * Returns the index of the line with the names of the columns: of the first lines the one with the most known names. Undefined where no
 * line has one and the first has an e-mail address: then there are no names.
 */
export function findHeader(lines: Lines): number | undefined {
  const scores = scoresOf(lines);
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  return lines[0]?.cells.some(isAddress) ? undefined : 0;
}

/** Returns how many columns with known names a table has. */
export function knownColumns(lines: Lines): number {
  return Math.max(0, ...scoresOf(lines));
}

type Lines = readonly { readonly cells: readonly string[] }[];

function scoresOf(lines: Lines): number[] {
  return lines.slice(0, FIRST_LINES).map(({ cells }) => {
    if (cells.some(isAddress)) return 0;
    const plain = cells.map(plainName);
    return new Set(plain.filter((name) => TARGETS.has(name) || UNCLEAR_ROLES.has(name) || LEFT_OUT.has(name))).size;
  });
}

/** Returns whether names of columns usually mean one of the fields of people. */
function isKnownName(name: string): boolean {
  return TARGETS.has(plainName(name));
}

/** Returns which columns of a table hold fields of one's own by their labels, unless a label usually means something else. */
export function targetsByLabel(
  definitions: readonly { key: string; label: string; labels: Readonly<Record<string, string>> | null }[],
): RememberedTargets {
  const labelled = definitions.flatMap(({ key, label, labels }) =>
    [label, ...Object.values(labels ?? {})].map((one) => [one, `fields.${key}` as const] as const),
  );
  return Object.fromEntries(
    labelled.filter(([label]) => !isKnownName(label)).map(([label, target]) => [plainName(label), target]),
  );
}

/** Returns whether a column's name may mean a job as well as the rights of a person. */
export function isUnclearRole(name: string): boolean {
  return UNCLEAR_ROLES.has(plainName(name));
}

/** Returns whether a line has sums of those above instead of a person. */
export function isTotal(cells: readonly string[]): boolean {
  return (
    /^(?:grand ?total|total|sum|summe|gesamt|suma|totale|totaal|razem|合計|合计|总计|कुल)\b[:.]?$/iu.test(
      cells.find(Boolean) ?? '',
    ) && !cells.some(isAddress)
  );
}

/** Returns whether a column's name indicates full names. */
export function isFullName(name: string): boolean {
  return TARGETS.get(plainName(name)) === 'fullName';
}

/** Returns the fields that the columns fill in, in the order of the preview. */
export function fieldsOf(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return [...IMPORT_FIELDS.filter((field) => filled.includes(field)), ...new Set(filled.filter(isOwnField))];
}

/** Returns the fields that more than one column fills in: the user has to decide which one counts. */
export function doubledFields(targets: readonly Target[]): ImportField[] {
  const filled = filledBy(targets);
  return fieldsOf(targets).filter((field) => filled.indexOf(field) !== filled.lastIndexOf(field));
}

/** Returns the fields that the columns fill in, in the order of the columns, with repetitions. */
function filledBy(targets: readonly Target[]): Target[] {
  return targets.flatMap((target): Target[] => (target === 'fullName' ? ['firstName', 'lastName'] : [target]));
}

/** Titles before a name, suffixes behind it, and words that begin a family name of several words; each without dots. */
const TITLES = new Set('dr prof mr mrs ms miss mx sir herr frau hr fr ing dipling mag'.split(' '));
const SUFFIXES = new Set('jr sr ii iii iv phd md mba msc bsc esq cpa dds'.split(' '));
const PARTICLES = new Set(
  'de del della di da dos das do du la las los le van von der den ten ter zu zum zur af av bin bint ibn al el ap san'.split(
    ' ',
  ),
);

/** Words of a status that is no status of employment. */
const MARITAL = new Set(
  'single married divorced widowed unmarried ledig verheiratet geschieden verwitwet celibataire marie mariee divorce veuf veuve soltero soltera casado casada divorciado viudo solteiro solteira celibe nubile sposato sposata ongehuwd gehuwd zonaty zamezna 独身 既婚 未婚 已婚 미혼 기혼'.split(
    ' ',
  ),
);
const isTitle = (text: string) => text.split(/\s+/).every((word) => TITLES.has(bare(word)));

const bare = (word: string) => word.toLowerCase().replace(/[.,]/g, '');

/** First and last name, and whether they were told apart by a guess that is worth a look: a title, a suffix, or several given names. */
export interface SplitName {
  firstName: string;
  lastName: string;
  isDoubtful: boolean;
}

/**
 * Splits a full name at a comma, which the first name follows, otherwise before the last word and the particles in front of it. Titles are
 * left out, and suffixes stay with the last name.
 */
export function splitName(name: string): SplitName {
  const parts = name.trim().split(/\s*[,，]\s*/);
  const isSuffix = (word: string) => SUFFIXES.has(bare(word));
  const suffixes = parts.slice(1).filter(isSuffix);
  const [family = '', given, ...more] = [parts[0] ?? '', ...parts.slice(1).filter((part) => !isSuffix(part))];
  const words = (given === undefined ? family : given).split(/\s+/).filter(Boolean);
  const titled = words.filter((word) => TITLES.has(bare(word)));
  const plain = words.filter((word) => !TITLES.has(bare(word)));
  const isDoubtful = titled.length > 0 || suffixes.length > 0 || more.length > 0;
  const behind = (last: string) => [last, ...suffixes].filter(Boolean).join(' ');
  if (given !== undefined) return { firstName: plain.join(' '), lastName: behind(family), isDoubtful };
  const trailing = plain.length > 2 && isSuffix(plain.at(-1) ?? '') ? plain.splice(-1) : [];
  let from = Math.max(plain.length - 1, 1);
  while (from > 1 && PARTICLES.has(bare(plain[from - 1] ?? ''))) from--;
  const last = [...plain.slice(from), ...trailing].join(' ');
  return {
    firstName: plain.slice(0, from).join(' '),
    lastName: behind(last),
    isDoubtful: isDoubtful || trailing.length > 0 || from > 2 || from < plain.length - 1,
  };
}
