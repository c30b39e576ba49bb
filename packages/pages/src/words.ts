import { inEveryLanguage, type Language } from '@takt/texts';

/** The texts that the pages of both apps show. In a text, {0} stands for a value. */
export const frameTexts = inEveryLanguage('frame', {
  skipToContent: 'Skip to the content',
  language: 'Language',
  company: 'Company',
  places: 'Places',
  products: 'Products',
  productionTimes: 'Production times',
  plansToCorrect: 'Plans to correct',
  operations: 'System',
  rejectedEvents: 'Rejected events',
  import: 'Import',
  people: 'People',
  developers: 'For developers',
  pages: 'Pages',
  firstPage: 'First',
  previousPage: 'Previous',
  nextPage: 'Next',
  lastPage: 'Last',
  rowsOf: '{0}&ndash;{1} of {2}',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: 'Signed in as {0}',
  signedInByToken: 'Signed in with a token',
  signInHelp: 'Sign in with your name, your e-mail address or your user number.',
  withToken: 'Sign in with an access token',
  login: 'Name, e-mail address or user number',
  email: 'E-mail',
  password: 'Password',
  sessionEnded: 'Your session has ended',
  sessionEndedHelp: 'It expired, or was ended elsewhere. Sign in again to go on where you were.',
  wrongPassword: 'The name, the number or the password is wrong, or the account is disabled.',
  noCompanyYet: 'You have no company yet. An administrator of Takt can give you one; then sign in again.',
  tooManyFailures: 'Signing in failed too often. Try again in {0} min.',
  signInsBusy: 'Too many people are signing in at this moment. Try again in a few seconds.',
});

export type FrameTexts = Readonly<Record<keyof typeof frameTexts, string>>;

export function frameTextsIn(language: Language): FrameTexts {
  const entries = Object.entries(frameTexts).map(([key, texts]) => [key, texts[language]] as const);
  return Object.fromEntries(entries) as FrameTexts;
}
