import { isGerman } from './language.ts';

/** The texts of a company's page, and of what it has. */
export const englishCompany = {
  add: 'Add a company',
  added: (name: string) => `${name} is added.`,
  saved: (name: string) => `${name} is saved.`,
  removed: (name: string) => `${name} is deleted.`,
  figures: 'Figures',
  contact: 'Contact and defaults',
  email: 'E-mail of the company',
  legalName: 'Legal name',
  defaultDepartment: 'Department of new people',
  defaultBand: 'Band of new people',
  created: 'Registered',
  updated: 'Last changed',
  id: 'Company id',
  firstAdmin: 'First Corporate Admin',
  firstAdminNote: 'They can sign in from then on, and look after the company. Leave it empty to add one later.',
  adminEmail: 'Their e-mail',
  adminFirstName: 'Their first name',
  adminLastName: 'Their last name',
  adminPhone: 'Their phone',
  close: 'Close the company',
  closeText: (name: string) =>
    `The lists of ${name} are closed to its people, who can still sign in and see their profiles. It can be opened again.`,
  closed: (name: string) => `${name} is closed.`,
  reopen: 'Open again',
  reopenText: (name: string) => `The lists of ${name} open again to its people.`,
  reopened: (name: string) => `${name} is open again.`,
  ofTheAdmins: 'A Super Admin looks after this.',
  noPolicies: 'It has no approval policies yet.',
  addDepartment: 'Add a department',
  removeText: 'It is deleted for good. What has people in it, or is the company’s default, cannot be deleted.',
  addBand: 'Add a band',
  bandsLead: (company: string) => `The grades of ${company}, and what each may book.`,
  bandsSearchHint: 'Band or code',
  band: 'Band',
  code: 'Code',
  autoApprovalLimit: 'Approved automatically up to',
  maxBookingLimit: 'Largest booking',
  noLimit: 'no limit',
  bandsTable: 'Bands',
  actions: 'Change',
  addPolicy: 'Add an approval policy',
  policyName: 'Name',
  levels: 'Levels',
  levelsNote: 'The first level approves first. Amounts do not fall from one level to the next.',
  approver: (number: number) => `Who approves at level ${number}`,
  from: (number: number) => `From which amount, level ${number}`,
  addLevel: 'Add a level',
  removeLevel: (number: number) => `Take level ${number} out`,
  levelWrong: (number: number, what: string) => `Level ${number}: ${what}`,
  levelFalls: (number: number) => `Level ${number} begins below the level before it.`,
  removePolicyText: 'The policy and its levels are deleted for good.',
};

/** In the language of the reader. */
export const companyTexts = isGerman ? (await import('./german/company.ts')).companyTexts : englishCompany;

/** The texts of the question who approves. */
export const englishApprovals = {
  title: 'Who approves?',
  lead: (policy: string) => `What ${policy} asks for, by name.`,
  amount: 'Amount of the booking',
  person: 'Who books',
  personHint: 'Anybody, or search by name',
  nobodyFound: 'Nobody of that name',
  decisions: {
    AUTO_APPROVED: 'Nobody has to approve it.',
    APPROVAL_NEEDED: 'These approve, one level after the other:',
    OVER_LIMIT: 'It is above the largest booking of their band, and cannot be approved.',
    NOBODY_CAN_APPROVE: 'It cannot be approved: for a level there is nobody.',
  },
  nobody: 'Nobody holds this role with a limit as high as the amount.',
  more: (count: string) => `and ${count} more`,
  upTo: (amount: string) => `up to ${amount}`,
  limits: (auto: string, most: string) => `Approved automatically up to ${auto}, largest booking ${most}.`,
};

/** In the language of the reader. */
export const approvalTexts = isGerman ? (await import('./german/company.ts')).approvalTexts : englishApprovals;
