import { frameTexts } from '@takt/pages';
import { fillText, formatNumber, formatSpan, inEveryLanguage, type Language, languages } from '@takt/texts';
import { importTexts } from './import-texts.js';
import { rejectedTexts } from './rejected-texts.js';

/**
 * The texts of the dashboard. In a text, {0}, {1}, ... stand for values, backticks enclose code, and brackets enclose a
 * link.
 */
const dashboardTexts = {
  ...frameTexts,
  ...inEveryLanguage('import', importTexts),
  ...inEveryLanguage('dashboard', {
    // Texts of every page.
    overview: 'Overview',
    queues: 'Queues',
    ago: '{0} ago',
    unknown: 'unknown',
    none: 'None.',
    noValue: 'none',
    // Texts that count things.
    oneEvent: '1 event',
    manyEvents: '{0} events',
    oneRejectedEvent: '1 rejected event',
    manyRejectedEvents: '{0} rejected events',
    oneJob: '1 job',
    manyJobs: '{0} jobs',
    oneOperation: '1 operation',
    manyOperations: '{0} operations',
    oneVersion: '1 structure version',
    manyVersions: '{0} structure versions',
    oneWorker: '1 worker',
    manyWorkers: '{0} workers',
    oneReason: '1 more reason',
    manyReasons: '{0} more reasons',
    // Texts for signing in.
    pid: 'User number (PID)',
    // Texts for the first person and company.
    setUp: 'Set up Takt',
    setUpIntro: 'Nobody is registered yet. Enter yourself, as the administrator, and the first company.',
    setUpOver:
      'This address has expired or was used. `npx takt open` prints another one, as long as nobody is registered.',
    firstName: 'First name',
    lastName: 'Last name',
    newPassword: 'Password, at least {0} characters',
    companyCode: 'Company code, such as TEM-NO',
    companyName: 'Company name',
    timeZone: 'Time zone, such as Europe/Oslo',
    wrongCode: 'The code of a company is 1 to 20 capital letters, digits and hyphens, as events name it.',
    disabledCompany:
      'This company is disabled. Enter another code, or enable the company with `takt company enable`.',
    wrongZone: 'There is no such time zone. Enter a name such as Europe/Oslo or UTC.',
    wrongFields: 'Fill in the last name, the name of the company and a password of at least {0} characters.',
    isSetUp: 'Takt is set up',
    yourPid: 'Your user number (PID) is {0}. Sign in with it and your password.',
    howDataComeIn: 'How data come in',
    fromTable: 'A file of your ERP or MES, as CSV, TSV or XLSX: [import] it.',
    fromFile: 'A file of events, one line of JSON each: `npx takt publish FILE`.',
    fromProgram:
      'A program that publishes over HTTP needs a token: `npx takt token create --database {0} --publish`.',
    goOnHere: 'The figures appear on the [production times], and what was rejected on this dashboard.',
    // Texts for refused requests.
    refused: 'Refused',
    notFound: 'Not found',
    notAvailable: 'Not available',
    busy: 'Busy',
    form: 'Form',
    onlyLook: 'This page needs the right to operate the queues. Nothing was changed.',
    notToSee: 'You may not see this page.',
    needsDuty: 'It needs the duty `{1}`. An administrator of Takt can give it: `npx takt user duty {0} {1}`.',
    notManager: 'People, clients and tokens are for administrators.',
    notYourCompanies:
      'This concerns companies that are not all yours, so nothing was done. Ask somebody who operates all companies.',
    needsManage:
      'It needs the duty `manage-access`, which the role `administrator` has: `npx takt user role {0} administrator`.',
    notYours: 'The queues hold events of companies that are not yours.',
    notYoursMore:
      'This view shows every event of every company as it stands in the queue, so it is for people who operate all companies. Your own rejected events are under [Rejected events]. An administrator of Takt can give you the duty: `npx takt user duty {0} operate-all-companies`.',
    eventGone:
      'There is no such rejected event, or no longer: it was corrected, retried or discarded meanwhile, or is not yours to see.',
    jobGone: 'There is no such job in the queue, or no longer: a worker may have finished it.',
    jobTaken: 'A worker has the job at this moment, so nothing was done.',
    hiddenMoved: 'A hidden value can only stay in its field.',
    otherRun:
      'Somebody else is changing many rejected events at this moment, so nothing was done. Try again later.',
    wrongForm: 'Nothing was done: the form could not be read.',
    wrongFormType: 'Nothing was done: the form is not {0}.',
    largeForm: 'Nothing was done: the form is larger than {0} bytes.',
    otherSite: 'Another site has sent this, so nothing was done. Do it here if that is what you want.',
    otherMethod: 'This address takes another kind of request.',
    noPage: 'There is no page at this address.',
    cannotAnswer: 'The dashboard cannot answer this at the moment. Try again in a few seconds.',
    broken: 'The database or the queue did not answer. Try again; the log of the dashboard says more.',
    // Texts of the first page.
    asOf: 'As of',
    refresh: 'Refresh',
    notCurrent: 'Not up to date, trying again.',
    allIsWell: 'All is well.',
    allIsWellMore: 'Events are taken as they come; nothing waits, nothing is rejected.',
    noAlarm: 'No alarm.',
    noAlarmMore: 'Less urgent:',
    began: 'Began {0}.',
    wordForNext: 'A word for the next operator',
    acknowledge: 'Acknowledge',
    oneRejected: '1 event is rejected and counts nowhere.',
    manyRejected: '{0} events are rejected and count nowhere.',
    rejectedRemedy: '[See why], then correct, retry or discard the rejected events.',
    oneHidden:
      '1 more rejected event is of a company that you may not see, or of none that is registered: ask somebody with the role `system-operator`.',
    manyHidden:
      '{0} more rejected events are of companies that you may not see, or of none that is registered: ask somebody with the role `system-operator`.',
    oneWaits: '{0} of {1} waits for master data.',
    manyWait: '{0} of {1} wait for master data.',
    waitRemedy:
      'Have the ERP publish `product-structure-version.changed.v1` for them; they are listed at once then.',
    notAudited: 'The figures have not been audited yet.',
    notAuditedRemedy: 'Run `npx takt audit`, best once a day.',
    bloated: '{0} holds {1} dead rows beside {2} live ones.',
    bloatedRemedy: 'Run `npx takt maintain`.',
    timeShown: 'Time range of the charts',
    lastHour: 'Last hour',
    lastDay: 'Last 24 hours',
    lastMonth: 'Last 30 days',
    itsFigures: 'The figures of its structure version',
    whenBegun: 'When it began: {0}',
    nothingYet: 'nothing yet',
    chartValues: 'Values of the charts as a table, by time in UTC',
    beginning: 'From',
    upTo: 'up to {0}',
    flow: 'Flow',
    noWorkerTells: 'No worker tells.',
    eventsIn: 'Events in',
    applied: 'Applied',
    duplicate: 'Duplicate',
    stale: 'Stale',
    rejected: 'Rejected',
    eventsPerSecond: 'Events a second',
    rejectedPerSecond: 'Rejected events a second',
    lag: 'Lag to the figures',
    fromPublishing: 'From publishing',
    fromCompletion: 'From completion',
    oldCompletion:
      'These operations were completed {0} before they were published. This is their age, not lag.',
    noneApplied: 'No event was applied in this time.',
    appliedLast: 'When events were applied last, {0}.',
    longestLag: 'Longest lag from publishing to commit',
    jobs: 'Jobs',
    waiting: 'Waiting',
    active: 'Active',
    delayed: 'Delayed',
    oldest: 'Oldest',
    paused: 'paused',
    queuesAway: 'The queues do not answer.',
    jobHolds: 'A job holds up to 1,000 events.',
    failed: 'failed',
    failedJobs: 'Failed jobs',
    failedAt: 'Failed',
    failedHint:
      'No worker could end a failed job; its reason says why. Retry it when the cause is gone, or remove it.',
    jobsThatWait: 'Jobs that wait',
    alarmsOfMonth: 'Alarms of the last 30 days',
    alarm: 'Alarm',
    begun: 'Began',
    lasted: 'Lasted',
    goesOn: '{0}, goes on',
    acknowledged: 'Acknowledged',
    tableOf: 'Table: {0}',
    allOf: 'All {0}',
    workers: 'Workers',
    noneSeen: 'None was seen in the last 30 s.',
    started: 'Started',
    lastCommit: 'Last commit',
    pidAndVersion: 'pid {0}, version {1}',
    events: 'Events',
    reason: 'Reason',
    last: 'Last',
    amongThem: '{0} among them',
    masterData: 'Waiting for master data',
    noneWaits: 'None: every completed operation is of a known structure version.',
    companyAndVersions: 'Company, structure versions',
    versions: 'Versions',
    operationsCount: 'Operations',
    allUnlisted: 'All of them: `npx takt unlisted list`',
    lastHeard: 'Last heard of',
    noSource: 'No event has been processed yet.',
    sourceAndEvent: 'Source, event',
    published: 'Published',
    moreSources: '{0} others sent events before.',
    lastAudit: 'Last audit',
    noAudit: 'None yet: `npx takt audit`',
    ended: 'Ended',
    differences: 'Differences',
    doneIn: '{0} in {1}.',
    database: 'Database',
    inAll: '{0} in all',
    table: 'Table',
    data: 'Data',
    indexes: 'Indexes',
    dead: 'Dead',
    node: 'Node',
    companies: 'Companies',
    size: 'Size',
    coordinator: 'coordinator',
    away: 'away',
    ...rejectedTexts,
    // Texts about people, clients and tokens.
    access: 'Access',
    clients: 'Clients',
    tokens: 'Tokens',
    auditLog: 'Audit log',
    peopleIntro: 'People sign in with a name, an e-mail address or a number. Roles say what they may do.',
    // Actions of the audit log: the kind of thing, and what was done with it.
    auditAdded: 'added',
    auditChanged: 'changed',
    auditRemoved: 'removed',
    auditInvited: 'invited',
    auditRevoked: 'revoked',
    auditRestored: 'restored',
    auditCreated: 'created',
    auditRetried: 'retried',
    auditDiscarded: 'discarded',
    auditCorrected: 'corrected',
    auditPaused: 'paused',
    auditResumed: 'resumed',
    auditTaken: 'taken',
    auditBegun: 'begun',
    auditUndone: 'undone',
    auditDropped: 'dropped',
    role: 'Role',
    openingCode: 'Code to sign in',
    databaseLogin: 'Log-in of the database',
    addPerson: 'Add a person',
    saveRoles: 'Save the roles',
    rolesHint: 'The change takes effect within 5 s. A person who loses a duty must sign in again.',
    saveEmail: 'Save the address',
    invite: 'Make a link to set a password',
    inviteHint:
      'You get a link that you send to the person, who sets a password with it. It works once, for {0} days. A present password stays valid until then.',
    sendLink: 'Send this link to {0}',
    linkShownOnce: 'The link is shown only now. It works once, for {0} days.',
    setPassword: 'Set your password',
    setPasswordIntro: 'Welcome, {0}. Choose a password; then you are signed in.',
    invitationOver: 'This link has expired or was used. Ask the person who sent it for another one.',
    passwordIsSet: 'Your password is set, and you are signed in.',
    shortPassword: 'A password has at least {0} characters.',
    wrongEmail: 'This is no e-mail address, or another person has it.',
    nameAndCompany: 'Fill in the last name, and choose at least one company.',
    rolePlanner: 'reads everything',
    roleOperator: 'reads everything but planned times, and operates the queues',
    roleSystemOperator: 'as operator, for all companies',
    roleAdministrator: 'a system operator who also manages people, clients and tokens',
    roleIntegrator: 'reads everything but who made it: for programs',
    clientsIntro: 'New clients, permissions and secrets are for the command line: `npx takt client --help`.',
    tokensIntro:
      'Tokens that are valid, the newest first: sessions of browsers, tokens of clients, and those made on the command line.',
    onlyNewestOf: 'Only the newest {0} of {1} are listed.',
    roles: 'Roles',
    duties: 'Duties',
    permissions: 'Permissions',
    stateActive: 'active',
    stateDisabled: 'disabled',
    created: 'Created',
    expires: 'Expires',
    lastUse: 'Last use',
    kind: 'Kind',
    description: 'Description',
    person: 'Person',
    client: 'Client',
    token: 'Token',
    defaultCompany: 'Default company',
    saveCompanies: 'Save companies',
    companiesHint:
      'A removed company is out of reach within 5 s. An added one is available from the next sign-in on.',
    disable: 'Disable',
    enable: 'Enable',
    disablePersonHint: 'All sessions and tokens of the person end within 5 s. It can be undone.',
    enablePersonHint: 'The person can sign in again. Sessions and tokens from before stay ended.',
    disableClientHint: 'All tokens of the client end within 5 s. It can be undone.',
    enableClientHint: 'The client gets tokens again. Those from before stay ended.',
    revoke: 'Revoke',
    revokeHint: 'It ends within 5 s, with all of the same sign-in. It cannot be undone.',
    changedNotice: 'The change was made.',
    notYourself:
      'You cannot disable yourself or change your own companies here, so nothing was done. Ask another administrator, or use the command line.',
    accessGone: 'There is no such person, client or token, or no longer.',
    noCompany: 'A person needs at least one company, so nothing was done.',
    noneThere: 'There is none.',
    auditIntro:
      'Changes of people, clients, companies and tokens, and changes of queues and rejected events made by hand. It contains no secrets.',
    action: 'Action',
    subject: 'Subject',
    details: 'Details',
    search: 'Search',
    // Texts about the queues.
    pause: 'Pause',
    resume: 'Resume',
    pausedNotice: 'The queue is paused: nothing is taken from it until somebody resumes it.',
    resumedNotice: 'The queue is running again.',
    waitingJobs: 'Waiting jobs',
    activeJobs: 'Active jobs',
    delayedJobs: 'Delayed jobs',
    job: 'Job',
    name: 'Name',
    added: 'Added',
    taken: 'Taken',
    due: 'Due',
    onlyFirst: 'Only the first {0} of {1} can be listed.',
    state: 'State',
    tooLargeToShow: 'The data take {0} and are not shown.',
    takeNow: 'Take now',
    takeNowHint: 'It no longer waits for its due time.',
    removeJob: 'Remove',
    removeHint: 'Its events are gone for good, and count nowhere.',
    takenNowNotice: 'The job waits for a worker now.',
    removedNotice: 'The job was removed.',
  }),
};

export type DashboardText = keyof typeof dashboardTexts;

type Capitalised<Text> = Text extends `one${infer Noun}` ? Noun : never;
/** A noun with one text for a single thing and one text for several things. */
type Noun = {
  [Name in Capitalised<DashboardText>]: `many${Name}s` extends DashboardText ? Name : never;
}[Capitalised<DashboardText>];

/** The texts of the dashboard in one language, with functions that format values. */
export interface Words {
  readonly language: Language;
  say(text: DashboardText, ...values: readonly string[]): string;
  /** Formats a number like 12,345, without decimals. */
  number(value: number): string;
  /** Formats a number with one decimal if it is below 10. */
  rate(value: number): string;
  /** Formats a number with its noun, like `1 event` or `2 events`. */
  count(noun: Noun, count: number): string;
  span(seconds: number): string;
  /** Formats the time since an instant, by the clock of this machine. */
  ago(ms: number): string;
  /** Formats a number of bytes like 12.3 MB, with units of 1,000. */
  bytes(bytes: number): string;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

const allWords = Object.fromEntries(languages.map((language) => [language, makeWords(language)])) as Readonly<
  Record<Language, Words>
>;

export function wordsOf(language: Language): Words {
  return allWords[language];
}

function makeWords(language: Language): Words {
  const say = (text: DashboardText, ...values: readonly string[]) =>
    fillText(dashboardTexts[text][language], values);
  const number = (value: number) => formatNumber(language, value, 0);
  const span = (seconds: number) => formatSpan(language, seconds);
  return {
    language,
    say,
    number,
    rate: (value) => formatNumber(language, value, value < 10 ? 1 : 0),
    count: (noun, count) => (count === 1 ? say(`one${noun}`) : say(`many${noun}s`, number(count))),
    span,
    ago: (ms) => say('ago', span(Math.max(0, (Date.now() - ms) / 1_000))),
    bytes: (bytes) => {
      const power = Math.min(
        BYTE_UNITS.length - 1,
        Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
      );
      const amount = bytes / 1_000 ** power;
      return `${formatNumber(language, amount, amount < 10 && power > 0 ? 1 : 0)} ${BYTE_UNITS[power]}`;
    },
  };
}
