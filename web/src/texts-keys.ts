import { isGerman } from './language.ts';

/** The texts of API keys and webhooks. */
export const englishKeys = {
  lead: (company: string) => `With these, programs reach what belongs to ${company}.`,
  table: 'API keys',
  add: 'Make a key',
  name: 'Name',
  nameHint: 'Which program it is for',
  prefix: 'Begins with',
  scopes: 'What it opens',
  scopeNames: {
    'users.read': 'Read people',
    'policies.evaluate': 'Ask who has to approve',
    'departments.read': 'Read departments and their budgets',
    'events.read': 'Follow the changes',
    'bookings.write': 'Record bookings',
    scim: 'Look after people by SCIM',
  },
  noScope: 'Choose at least one thing that it opens.',
  expires: 'Ends',
  expiresHint: 'Left empty: never',
  never: 'never',
  lastUsed: 'Last used',
  state: 'State',
  usable: 'In use',
  revoked: 'Revoked',
  ended: 'Ended',
  revoke: 'Revoke',
  revokeText: (name: string) =>
    `Programs that use ${name} are refused from the next request on. It cannot be taken back.`,
  revokedNow: (name: string) => `${name} is revoked.`,
  once: 'This is the only time that it is shown. Copy it to where it is needed.',
  key: 'API key',
  done: 'I have copied it',
};

/** In the language of the reader. */
export const keyTexts = isGerman ? (await import('./german/keys.ts')).keyTexts : englishKeys;

export const englishWebhooks = {
  lead: (company: string) => `Changes of ${company} are sent to these addresses.`,
  table: 'Webhooks',
  add: 'Add a webhook',
  saved: 'The webhook is saved.',
  url: 'Address',
  urlHint: 'https://',
  description: 'Description',
  entities: 'Of which things changes are sent',
  entitiesHint: 'None chosen: of all.',
  all: 'all',
  state: 'State',
  on: 'On',
  off: 'Off',
  secret: 'Secret',
  rotate: 'Make a new secret',
  rotateText: 'What is sent from now on is signed with the new one.',
  test: 'Send a test',
  tested: 'A test is on its way. It stands among the deliveries in a moment.',
  switchOn: 'Switch on again',
  switchOnText: 'It goes on where it stood.',
  switchedOn: 'The webhook is on again.',
  switchOff: 'Switch off',
  switchOffText: 'Nothing is sent until it is switched on again.',
  switchedOff: 'The webhook is off.',
  remove: 'Delete',
  removeText: 'It is deleted with its deliveries, and nothing is sent any more.',
  removed: 'The webhook is deleted.',
  deliveries: 'Deliveries',
  at: 'When',
  type: 'What',
  attempt: 'Try',
  answer: 'Answer',
  took: 'Took',
  milliseconds: (count: string) => `${count} ms`,
  noAnswer: 'no answer',
  created: 'Added',
};

/** In the language of the reader. */
export const webhookTexts = isGerman ? (await import('./german/keys.ts')).webhookTexts : englishWebhooks;
