/** The texts of the sign-in at an identity provider. */
export const providerTexts = {
  failed: 'The sign-in was not finished. Try again.',
  denied: 'You were not signed in: the sign-in was cancelled.',
  notBegunHere: 'This answer belongs to a sign-in that was not begun here. Sign in again.',
  notForThis: 'The answer of your organisation’s sign-in is not for this one. Sign in again.',
  notSecure: 'You can sign in only over https: ask whoever runs the service for its secure address.',
  providerSilent: 'Your organisation’s sign-in does not answer. Try again in a moment.',
  noStorage: 'This browser keeps nothing for this page, and so cannot sign in: allow it to store data for this site.',
};
