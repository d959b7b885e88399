import { isGerman } from './language.ts';

/** The texts that people read on the first page, and on every page. */
export const english = {
  product: 'orgdesk',
  pages: {
    profile: 'Profile',
    people: 'People',
    companies: 'Companies',
    company: 'Company',
    departments: 'Departments',
    bands: 'Bands',
    policies: 'Approval policies',
    history: 'History',
    keys: 'API keys',
    webhooks: 'Webhooks',
    geography: 'Geography',
  },
  shell: {
    pages: 'Pages',
    skip: 'Skip to the content',
    signOut: 'Sign out',
    signIn: 'Sign in',
    light: 'Use light colours',
    dark: 'Use dark colours',
    unsaved: 'has unsaved changes',
    menu: 'Menu',
    api: 'The API',
    leave: 'You have unsaved changes of your profile. Sign out and lose them?',
  },
  signIn: {
    title: 'Sign in',
    demo: 'This is the demo. Choose who you want to be:',
    demoNote: 'Only pages on this very machine can sign in like this, and only while demo data is on (DEMO_DATA).',
    deactivated: 'deactivated: cannot sign in',
    noRole: 'no role',
    provider: 'You sign in with your organisation’s account.',
    providerButton: 'Sign in with your account',
    token: 'Access token',
    tokenNote: 'Paste an access token. It stays in the memory of this page and is gone when you close it.',
    tokenMissing: 'Paste a token first.',
    geography: 'Look at the geography without signing in',
    refused: 'You are not signed in',
    noDemo: 'The service offers nobody of that name to sign in as any more. Load the page again.',
    linkNotTaken: 'This link does not sign in here: links with a token work for the demo on this machine alone.',
  },
  states: {
    loading: 'Loading …',
    failed: 'This could not be loaded',
    broken: 'The page could not be shown. Where it fails again, load the console anew.',
    offline: 'The service does not answer. Check that it runs and that you are connected.',
    again: 'Try again',
    close: 'Close',
    alone: 'It is tried again by itself.',
    partMissing:
      'A part of the console could not be loaded. It may be that you are offline, or that there is a new version.',
    reference: (id: string) => `Reference: ${id}`,
    nothing: 'Nothing matches',
    nothingHint: 'Try another spelling, or fewer words.',
    none: 'There is nothing here yet',
    pastEnd: 'The list ends before this page',
    pastEndHint: 'It has become shorter, or the link asks for too much. Go back a page.',
  },
  unknown: {
    title: 'There is no page here',
    lead: 'The address may be mistyped, or the link old.',
    back: 'Go to the first page',
  },
  roles: {
    SUPER_ADMIN: 'Super Admin',
    PLATFORM_RM: 'Platform RM',
    CORPORATE_ADMIN: 'Corporate Admin',
    MANAGER: 'Manager',
    EMPLOYEE: 'Employee',
  } as Readonly<Record<string, string>>,
};

/** In the language of the reader. */
export const texts = isGerman ? (await import('./german/texts.ts')).texts : english;

/** The name of a role for people; one that is new here is shown as it comes. */
export function roleName(role: string): string {
  return texts.roles[role] ?? role;
}

export function roleNames(roles: readonly string[]): string {
  return roles.length === 0 ? texts.signIn.noRole : roles.map(roleName).join(', ');
}
