import { isGerman } from './language.ts';

/** The texts of the history. */
export const english = {
  lead: 'Who changed what, and when: newest first.',
  ofPerson: (name: string) => `What concerns ${name}: newest first.`,
  table: 'Changes',
  when: 'When',
  who: 'Who',
  what: 'What',
  changes: 'From, to',
  all: 'Show all changes',
  company: 'Company',
  everything: 'All that you may see',
  actions: { added: 'added', changed: 'changed', removed: 'removed', erased: 'values erased' },
  entities: {
    company: 'Company',
    department: 'Department',
    band: 'Band',
    user: 'Person',
    companyRole: 'Role in a company',
    systemRole: 'Role on the platform',
    approvalPolicy: 'Approval policy',
    approvalPolicyLevel: 'Level of a policy',
    apiKey: 'API key',
    webhook: 'Webhook',
  },
  actors: { user: 'Somebody', key: 'An API key', import: 'An import', command: 'A command of the operator' },
  you: 'You',
  notKept: 'value not kept',
  empty: 'nothing',
  yes: 'yes',
  no: 'no',
};

/** In the language of the reader. */
export const historyTexts = isGerman ? (await import('./german/history.ts')).historyTexts : english;
