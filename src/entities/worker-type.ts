import { choice, type ValueKind } from './values.ts';

export const WORKER_TYPES = ['EMPLOYEE', 'CONTINGENT', 'INTERN', 'GUEST'] as const;
export type WorkerType = (typeof WORKER_TYPES)[number];

/** The words of directories and HR files without signs and accents, each kind with the one of answers to directories first. */
const WORDS: Readonly<Record<WorkerType, string>> = {
  EMPLOYEE:
    'Employee employees regular regularemployee permanent permanentemployee fulltime parttime fulltimeemployee parttimeemployee staff member internal ' +
    'internalemployee fte fixedterm probation salaried hourly festangestellt festangestellte angestellt angestellte angestellter mitarbeiter ' +
    'mitarbeiterin mitarbeitende vollzeit teilzeit befristet unbefristet salarie cdi cdd empleado empregado funcionario clt dipendente ' +
    'werknemer pracownik 正社員 社員 正式员工 员工 कर्मचारी 정규직 сотрудник พนักงาน',
  CONTINGENT:
    'Contractor contractors contingent contingentworker contract contractworker consultant freelancer freelance temp temporary temporaryworker ' +
    'agency agencyworker external externalworker externaluser vendor supplier partner thirdparty outsourced selfemployed extern externe externer ' +
    'freier freiemitarbeiter freiermitarbeiter freiberufler leiharbeiter leiharbeitnehmer zeitarbeiter zeitarbeit berater dienstleister ' +
    'prestataire interimaire independant contratista autonomo temporal terceirizado pj consulente collaboratore collaboratoreesterno ingehuurd ' +
    'inhuur zzp zleceniobiorca 派遣社員 契約社員 外包 合同工 ठेकेदार 계약직 подрядчик ผู้รับเหมา',
  INTERN:
    'Intern interns internship trainee apprentice student workingstudent praktikant praktikantin praktikum werkstudent werkstudentin ' +
    'auszubildende auszubildender azubi trainees volontar stagiaire apprenti alternant becario pasante practicante estagiario estagio ' +
    'tirocinante stagista stagiair praktykant stazysta インターン 实习生 प्रशिक्षु 인턴 стажер ฝึกงาน',
  GUEST:
    'Guest guests guestuser visitor candidate applicant interviewee gast gaste besucher bewerber kandidat invite visiteur candidat invitado ' +
    'visitante candidato convidado ospite bezoeker gosc ゲスト 访客 अतिथि 게스트 гость แขก',
};

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Script=Latin}\p{Mn}+/gu, (letter) => letter.replace(/\p{Mn}/gu, ''))
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');

const MEANINGS: ReadonlyMap<string, WorkerType> = new Map(
  WORKER_TYPES.flatMap((type) => [type, ...WORDS[type].split(' ')].map((word) => [plain(word), type] as const)),
);

/** What somebody is to a company. Directories and HR files say it in their own words. */
export const workerType: ValueKind<WorkerType> = {
  ...choice(WORKER_TYPES),
  tidy: (text) => MEANINGS.get(plain(text)) ?? text,
};

/** Returns the word for a directory. */
export function wordOf(type: WorkerType): string {
  return WORDS[type].split(' ', 1)[0] ?? type;
}
