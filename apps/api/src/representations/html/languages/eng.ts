import type { Language } from '@takt/error-catalogue';

/** The words of the pages themselves in one language, ready for HTML. What is served has its words in its definition. */
export interface Wording<L extends Language = Language> {
  readonly language: L;
  /** What the language calls itself. */
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  /** {0}, {1}, ... stand for values. */
  readonly texts: Readonly<Record<keyof typeof eng.texts, string>>;
}

/** English, from which the other languages take the names of what must be said. */
export const eng = {
  language: 'eng',
  ownName: 'English',
  decimalSeparator: '.',
  texts: {
    skipToContent: 'Skip to the content',
    resources: 'Resources',
    language: 'Language',
    company: 'Company',
    switchCompany: 'Switch',
    formats: 'This page as',
    documentation: 'Documentation',
    requestId: 'Request',
    filter: 'Filter',
    search: 'Search',
    pageSize: 'Rows',
    countAll: 'Count all',
    apply: 'Apply',
    clear: 'Clear',
    filterHelp: 'How to filter',
    filterHint:
      'Compare with eq, ne, lt, le, gt, ge or in; combine with and, or, not. Put text in single quotes.',
    examples: 'Examples',
    field: 'Field',
    type: 'Type',
    meaning: 'Meaning',
    pages: 'Pages',
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    last: 'Last',
    rowsOf: '{0}&ndash;{1} of {2}',
    rows: '{0}&ndash;{1}',
    tableOf: 'Table: {0}',
    nothingFound: 'Nothing found.',
    planned: 'Planned',
    average: 'Average',
    deviation: 'Deviation',
    shortest: 'Shortest',
    longest: 'Longest',
    againstPlan: 'Against plan',
    scale: 'Scale {0} to {1} h',
    legend: 'Key to the drawings',
    details: 'Details',
    close: 'Close',
    actualTimes: 'Times in hours',
    general: 'General',
    yes: 'yes',
    no: 'no',
    noValue: 'no value',
    error: 'Error',
    inEnglish: 'In English',
    parameters: 'Parameters',
    aboutError: 'About error message {0}',
    causes: 'Causes',
    token: 'Access token',
    tokenHelp: 'Paste an access token to open this page. It will stand in the address of the page.',
    about: 'About the service',
    tokenForAll: 'Paste an access token to open the resources. It will stand in the addresses of the pages.',
    openPage: 'Open',
  },
} as const;
