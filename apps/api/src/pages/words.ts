import type { Field, Node } from '@takt/catalogue/resources';
import { escapeHtml, frameTexts } from '@takt/pages';
import { inEveryLanguage, type Language, languageSettings, languages, type TimeUnit } from '@takt/texts';

/**
 * The texts of the pages themselves in one language, as HTML. Texts about the served data are in the definitions of
 * resources.
 */
export interface Wording {
  readonly language: Language;
  /** The name of the language in this language. */
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  readonly groupSeparator: string;
  /** The unit in which the page shows the time of an operation. */
  readonly timeUnit: TimeUnit;
  /** The texts. Each of {0}, {1}, ... stands for a value. */
  readonly texts: Readonly<Record<PageWord, string>>;
}

type PageWord = keyof typeof pageWords;

const pageWords = {
  ...frameTexts,
  ...inEveryLanguage('page', {
    resources: 'Resources',
    formats: 'This page as',
    requestId: 'Request',
    filter: 'Filter',
    search: 'Search',
    pageSize: 'Rows',
    mostRows: 'A page has at most {0} rows.',
    allRowsAs: 'All rows as',
    withAllColumns: 'with all columns',
    /** The title of the sheet that describes the list in a file. */
    aboutList: 'About this list',
    list: 'List',
    view: 'View',
    readOn: 'Read on',
    address: 'Address',
    apply: 'Apply',
    period: 'Period',
    allMonths: 'All months',
    thisMonth: 'This month',
    previousMonth: 'Last month',
    thisQuarter: 'This quarter',
    previousQuarter: 'Last quarter',
    lastYear: 'Last 12 months',
    thisYear: 'This year',
    firstMonth: 'From',
    lastMonth: 'To',
    fromTo: '{0} to {1}',
    sinceMonth: 'since {0}',
    untilMonth: 'until {0}',
    openMonth: 'the month is not over',
    comparedPeriod: 'Compared period',
    change: 'Change',
    compareWith: 'Compare with',
    timeBefore: 'The time before',
    noComparison: 'No comparison',
    comparedWith: '{0}, compared with {1}',
    comparedHours: 'The same rows in {0}: {1} h over plan',
    compareChosen: 'Compare chosen (at most 4)',
    sideBySide: 'Structure versions side by side',
    figure: 'Figure',
    notCompared: 'Without completed operations here, or unknown: {0}.',
    /** The values are a period, and then the kinds of time with their averages. */
    before: 'Before, {0}: {1}.',
    clear: 'Clear',
    filterHint:
      'Compare with eq, ne, lt, le, gt, ge or in; combine with and, or, not. Put text in single quotes.',
    examples: 'Examples',
    field: 'Field',
    type: 'Type',
    meaning: 'Meaning',
    /** This text is used in place of a number, after "of". */
    moreThan: 'more than {0}',
    rows: '{0}&ndash;{1}',
    tableOf: 'Table: {0}',
    nothingFound: 'Nothing found.',
    newestDataOf: 'The newest data are of {0}',
    didYouMean: 'Did you mean:',
    showWithout: 'Show without the filter “{0}” ({1} found)',
    planned: 'Planned',
    average: 'Average',
    deviation: 'Deviation',
    shortest: 'Shortest',
    longest: 'Longest',
    legend: 'Key to the drawings',
    general: 'General',
    yes: 'yes',
    no: 'no',
    noValue: 'no value',
    error: 'Error',
    openInCompany: 'Open this page in',
    inEnglish: 'In English',
    aboutError: 'About error message {0}',
    causes: 'Causes',
    token: 'Access token',
    tokenHelp: 'Paste it once: it is kept for the session, and appears in no address and on no page.',
    openPage: 'Open',
    tokenRefused:
      'The access token is not valid: it is mistyped, expired or revoked. Get a new one, or sign in.',
    codeHelp: 'This address signs you in once. Open it only if you asked for it yourself.',
    codeRefused:
      'This address was used already, or has expired. The command “npx takt open” makes a new one. You can also sign in here.',
    foreignForm:
      'Another site has sent this form, so nothing was done. Sign in here if that is what you want.',
    unreadableForm: 'The form did not arrive as it should. Fill it in again.',
    clientAsks: '{0} asks to read in your name what you may read.',
    goOn: 'Continue',
    unknownClient:
      'The application that led you here is not known. Tell those who run it: its client_id is wrong or disabled.',
    foreignRedirect:
      'The application that led you here asks to send you to an address that is not its own. Tell those who run it: redirect_uri must be one that is registered for it.',
    views: 'Views',
    any: 'any',
    remove: 'Remove {0}',
    withValue: 'With a value: {0}',
    advanced: 'Advanced filter',
    pageOf: 'Page {0} of {1}',
    overPlan: 'Over plan',
    hoursOverPlan: 'Hours over plan',
    here: 'Here',
    unitHelp: 'Times are for one operation, in {0}.',
    hourSymbol: 'h',
    inHours: 'hours',
    inMinutes: 'minutes',
    inHoursAndMinutes: 'hours and minutes',
    timesIn: 'Times in',
    overPlanHelp: 'Over plan: how much longer the average is than planned.',
    certaintyHelp:
      'The bar shows where the average lies with 95 % certainty, the thin line is the plan. A difference from the plan of 10 % or more, and hours of any size, have a colour if they are certain, and a question mark if chance can explain them.',
    deviationHelp: 'how far a single time typically is from the average; the smaller, the steadier.',
    readAt: 'Read {0}',
    kindOfTime: 'Kind of time',
    drawing: 'Drawing',
    difference: 'Difference',
    differenceHelp:
      'Difference: from the first. Beside an average, a question mark: chance can explain it; a colour: it cannot.',
    planAndActual: 'Plan and actual, in {0}',
    actualTimes: 'Actual times, in {0}',
    byMonth: 'By month of completion',
    chartTitle: '{0} by month',
    chartHelp:
      'Line: average of a month. Band: from shortest to longest. Bars: how many were completed. Months are in {0}.',
    chartPlanHelp: 'Dashed: plan.',
    earlier: 'Before',
    chartBeforeHelp: 'Dotted: average of {0}.',
    count: 'Count',
    /**
     * The values are: kind of time, average, plan, lower and upper bound of the mean, number of operations, suggested
     * plan.
     */
    sure: '{0}: {1} against {2} planned, sure to 95 % ({3} to {4}; operations: {5}). Enter {6}.',
    unsure:
      '{0}: {1} against {2} planned, unsure: chance can explain it ({3} to {4}; operations: {5}). Keep the plan.',
    asPlanned: '{0}: {1}, as planned ({3} to {4}; operations: {5}).',
    tooFew:
      '{0}: {1} against {2} planned, too few operations ({5}) to be sure. Keep the plan until there are 5.',
    interval: '95 % interval',
    median: 'Median',
    distributionOf: '{0}, distribution',
    distributionHelp:
      'Distribution: how many operations took how long; a paler last bar counts all that took longer.',
    prunedLeftOut: 'Pruned operations are not drawn: {0}.',
    farthestOperations: 'Operations farthest over plan',
    longestOperations: 'Longest operations',
    order: 'Order',
    firstTen: 'the first ten are {0}\u00A0% of it',
    about: 'About the service',
    saveView: 'Save this view',
    savedNotice: 'The view “{0}” is saved.',
    nameOfView: 'Name',
    shareView: 'Share with everybody in the company',
    share: 'Share',
    keepToMyself: 'Stop sharing',
    delete: 'Delete',
    shared: 'shared',
    nothingSaved: 'Nothing is saved yet. Open a list, filter and sort it, and save it under “Saved views”.',
    englishOnly: 'This text exists in English only.',
    copy: 'Copy',
    copied: 'Copied',
    allSavedViews: 'All saved views',
    allFields: 'All fields',
    comparison: 'Comparison',
    value: 'Value',
    addCondition: 'Add',
    is: 'is',
    isNot: 'is not',
    isMoreThan: 'is more than',
    atLeast: 'is at least',
    lessThan: 'is less than',
    atMost: 'is at most',
    contains: 'contains',
    beginsWith: 'begins with',
    missing: 'is missing',
    present: 'has a value',
    columns: 'Columns',
    allColumns: 'All columns',
    overview: 'Overview',
    hoursByMonth: 'Hours over plan by month, all products',
    now: 'Now',
    hoursBefore: '{0} h over plan, {1} h before.',
    grewMost: 'Grew most',
    allChanges: 'All changes',
    allRows: 'All {0} over plan',
    intervalOfHours: 'The thin line shows the 95 % interval of the hours.',
    unsureHours: 'A question mark beside hours: chance can explain them.',
    fellMost: 'Fell most',
    chanceExplains: 'Chance can explain this.',
    compareWithThis: 'Compare with this',
  }),
};

const wordingIn = (language: Language): Wording => ({
  language,
  ownName: languageSettings[language].ownName,
  decimalSeparator: languageSettings[language].decimalSeparator,
  groupSeparator: languageSettings[language].groupSeparator,
  timeUnit: 'h',
  texts: Object.fromEntries(
    Object.entries(pageWords).map(([word, texts]) => [word, texts[language]]),
  ) as Record<PageWord, string>,
});

export const wordings = Object.fromEntries(
  languages.map((language) => [language, wordingIn(language)]),
) as Readonly<Record<Language, Wording>>;

/** The wording of a page, in its language and with its unit of times. */
export function wordingOf(page: Pick<Wording, 'language' | 'timeUnit'>): Wording {
  return { ...wordings[page.language], timeUnit: page.timeUnit };
}

const UNIT_NAMES = { h: 'inHours', min: 'inMinutes', 'h:mm': 'inHoursAndMinutes' } as const;

/** The name of the unit of times, in the form that follows the word "in". */
export const unitName = ({ texts, timeUnit }: Wording): string => texts[UNIT_NAMES[timeUnit]];

/** Replaces {0}, {1}, ... in a text by values, which must be HTML. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}

/** The heading of a field, a group or a collection. */
export function headingOf({ heading }: Pick<Node, 'heading'>, { language }: Wording): string {
  return escapeHtml(heading[language]);
}

/** The unit is an element of its own, so that it can have a lighter style. */
function withUnit(heading: string, unit: Field['unit']): string {
  return unit === undefined ? heading : `${heading} <span class="unit">(${unit})</span>`;
}

export function fieldHeading(field: Field, wording: Wording): string {
  return withUnit(headingOf(field, wording), field.unit);
}

/**
 * True if the values of a column are aligned at the end, as numbers are. The keys of a domain are shown as words, so
 * their column is not aligned in this way.
 */
export function isFigure({ type, domain }: Field): boolean {
  return (type === 'integer' || type === 'decimal') && domain === undefined;
}
