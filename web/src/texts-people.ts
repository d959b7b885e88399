import { isGerman } from './language.ts';

/** The texts of the pages about people. */
export const english = {
  lead: (company: string) => `Everybody who works at ${company}.`,
  searchHint: 'Name or e-mail address',
  table: 'People',
  add: 'Add a person',
  edit: 'Edit',
  name: 'Name',
  email: 'E-mail',
  department: 'Department',
  band: 'Band',
  role: 'Role',
  roles: 'Roles',
  approvalLimit: 'Approval limit',
  status: 'Status',
  activeOnly: 'Active people only',
  everyDepartment: 'Every department',
  everyBand: 'Every band',
  everyRole: 'Every role',
  added: (name: string) => `${name} is added.`,
  saved: (name: string) => `${name} is saved.`,
  deactivate: 'Deactivate',
  deactivateText: (name: string) =>
    `${name} cannot sign in any more, from the next request on. Nothing of theirs is deleted, and they can be let in again.`,
  deactivated: (name: string) => `${name} is deactivated.`,
  activate: 'Let in again',
  activateText: (name: string) => `${name} can sign in again, with the roles that they have.`,
  activated: (name: string) => `${name} is active again.`,
  about: 'About them',
  rolesHere: 'Roles in this company',
  platformRole: 'Role on the platform',
  noPlatformRole: 'No role on the platform',
  rolesMeaning: {
    CORPORATE_ADMIN: 'looks after the company, its people, policies and keys',
    MANAGER: 'sees the company’s lists, and approves',
    EMPLOYEE: 'sees their own profile',
  },
  roleGiven: (role: string) => `The role ${role} is given.`,
  roleTaken: (role: string) => `The role ${role} is taken away.`,
  protected:
    'They hold a role on the platform or in another company. So only a Super Admin can change their e-mail address, or deactivate them.',
  ownLimit: 'Nobody changes their own limit or band: another Corporate Admin has to.',
  lastAdmin:
    'They are the only active Corporate Admin among these people. Give the role to somebody else before you take theirs away or deactivate them: somebody has to look after the company.',
  approves: 'What they may approve',
  approvesNothing: 'No level of a policy asks for a role that they hold, up to their approval limit.',
  approvesFrom: (policy: string, role: string, from: string, to: string) =>
    `${policy}: as ${role}, from ${from} up to ${to}`,
  history: 'History',
  defaults: 'the company’s default',
};

/** In the language of the reader. */
export const peopleTexts = isGerman ? (await import('./german/people.ts')).peopleTexts : english;
