import {
  beginSetUp,
  type FirstPerson,
  isLongEnough,
  MIN_PASSWORD_CHARACTERS,
  maySetUp,
  mayUseCode,
  readSession,
  type SessionPlace,
  setUp,
  signIn,
  writeSession,
} from '@takt/access';
import type { Database } from '@takt/database';
import { findTimeZone, isCompanyCode, TimeZoneError } from '@takt/figures/master-data';
import type { ApiAnswer } from '@takt/http';
import { Message } from '@takt/pages';
import { type Site, writePage } from './pages/frame.js';
import { NewPassword, Prose } from './pages/parts.js';
import { answerHtml, answerRedirect, type PageRoute, type Visit } from './visit.js';
import type { DashboardText } from './words.js';

interface SetUpDependencies {
  readonly pool: Database['pool'];
  /** Base URL of the dashboard. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  readonly site: Site;
  /** The cookie of sessions. */
  readonly session: SessionPlace;
}

/** Name of the cookie with the secret of beginSetUp. Unlike a code in the address, no history or log shows it. */
const SET_UP_COOKIE = 'takt_set_up';

/**
 * The pages on which the first person and company are registered. A code of `takt open` opens them once, in one browser, as
 * long as nobody is registered.
 */
export function setUpRoutes(dependencies: SetUpDependencies): readonly PageRoute[] {
  const { pool, baseUrl } = dependencies;
  const whileOpen =
    (answer: (visit: Visit, secret: string) => Promise<ApiAnswer>) => async (visit: Visit) => {
      const secret = readSession(visit.headers, baseUrl, SET_UP_COOKIE)?.token;
      const isOpen = secret !== undefined && (await maySetUp(pool, secret));
      return isOpen ? answer(visit, secret) : refuse(dependencies, visit);
    };
  const form = whileOpen(async (visit) => answerForm(dependencies, visit));
  const registered = whileOpen((visit, secret) => takeForm(dependencies, visit, secret));
  const begin = async (visit: Visit, code: string) => {
    const token = await beginSetUp(pool, code);
    if (token === undefined) return refuse(dependencies, visit);
    return answerRedirect(`${baseUrl}/set-up`, {
      'Set-Cookie': writeSession({ token, isGiven: false }, baseUrl, SET_UP_COOKIE),
    });
  };
  return [
    {
      method: 'GET',
      path: '/set-up',
      access: 'everybody',
      answer: async (visit) => {
        const code = visit.query.get('code');
        if (code === null) return form(visit);
        return mayUseCode(visit) ? begin(visit, code) : answerButton(dependencies, visit, code);
      },
    },
    {
      method: 'POST',
      path: '/set-up',
      access: 'everybody',
      answer: (visit) => {
        const code = visit.form.get('code');
        return code === null ? registered(visit) : begin(visit, code);
      },
    },
  ];
}

/** Asks a person to use the code, because a preview or another site may have opened the address. */
function answerButton({ site }: SetUpDependencies, { words }: Visit, code: string): ApiAnswer {
  const content = (
    <Message heading={words.say('setUp')}>
      <form class="sign-in" method="post" action={`${site.base}/set-up`}>
        <input type="hidden" name="code" value={code} />
        <button type="submit">{words.say('setUp')}</button>
      </form>
    </Message>
  );
  return answerHtml(writePage({ title: words.say('setUp'), words, site, person: undefined, content }));
}

function refuse({ site }: SetUpDependencies, { words }: Visit): ApiAnswer {
  const content = (
    <Message heading={words.say('setUp')}>
      <p>
        <Prose text={words.say('setUpOver')} />
      </p>
      <p>
        <a href={`${site.base}/`}>{words.say('signIn')}</a>
      </p>
    </Message>
  );
  return answerHtml(writePage({ title: words.say('setUp'), words, site, person: undefined, content }), 403);
}

/** The fields of the form. The values that were sent are shown again, except the password. */
const FIELDS = [
  { name: 'firstName', label: 'firstName', autocomplete: 'given-name' },
  { name: 'name', label: 'lastName', autocomplete: 'family-name', isRequired: true },
  { name: 'company', label: 'companyCode', isRequired: true },
  { name: 'companyName', label: 'companyName', autocomplete: 'organization', isRequired: true },
  { name: 'timeZone', label: 'timeZone', isRequired: true },
] as const;

function answerForm({ site }: SetUpDependencies, visit: Visit, problem?: string): ApiAnswer {
  const { words, form } = visit;
  const { say } = words;
  const content = (
    <Message heading={say('setUp')} problem={problem}>
      <p>{say('setUpIntro')}</p>
      <form class="sign-in" method="post" action={`${site.base}/set-up`}>
        {FIELDS.map(({ name, label, ...field }) => (
          <label>
            {say(label)}{' '}
            <input
              type="text"
              name={name}
              value={form.get(name) ?? (name === 'timeZone' ? ownTimeZone() : '')}
              required={'isRequired' in field}
              autocomplete={'autocomplete' in field ? field.autocomplete : 'off'}
              spellcheck={false}
            />
          </label>
        ))}
        <NewPassword say={say} />
        <button type="submit">{say('setUp')}</button>
      </form>
    </Message>
  );
  return answerHtml(
    writePage({ title: say('setUp'), words, site, person: undefined, content }),
    problem === undefined ? 200 : 400,
  );
}

/** The time zone of this machine, which is often the company's. */
const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Registers what the form says, starts a session and shows how to go on. */
async function takeForm(dependencies: SetUpDependencies, visit: Visit, secret: string): Promise<ApiAnswer> {
  const { pool, session } = dependencies;
  const { say } = visit.words;
  const first = await readForm(pool, visit.form);
  if (typeof first === 'string') {
    return answerForm(dependencies, visit, say(first, String(MIN_PASSWORD_CHARACTERS)));
  }
  const pid = await setUp(pool, secret, first);
  if (pid === undefined) return refuse(dependencies, visit);
  const begins = await signIn(pool, { pid, password: first.password });
  const page = writeNextSteps(dependencies, visit, { pid, company: first.company });
  if (!('issued' in begins)) return answerHtml(page);
  const begun = { token: begins.issued.accessToken, isGiven: false };
  return answerHtml(page, 200, { 'Set-Cookie': writeSession(begun, session.baseUrl, session.name) });
}

/** Returns the person and company of a form, or the text that says what is wrong. */
async function readForm(pool: Database['pool'], form: URLSearchParams): Promise<FirstPerson | DashboardText> {
  const entered = (name: (typeof FIELDS)[number]['name']) => form.get(name)?.trim() ?? '';
  const [company, password] = [entered('company'), form.get('password') ?? ''];
  const [name, companyName] = [entered('name'), entered('companyName')];
  if (name === '' || companyName === '' || !isLongEnough(password)) return 'wrongFields';
  if (!isCompanyCode(company)) return 'wrongCode';
  // Not listCompanies, which reads columns that the log-in of the dashboard may not read.
  const { rows } = await pool.query(
    'SELECT FROM takt.companies WHERE code = $1 AND disabled_at IS NOT NULL',
    [company],
  );
  if (rows.length > 0) return 'disabledCompany';
  try {
    const timeZone = await findTimeZone(pool, entered('timeZone'));
    return { company, companyName, timeZone, firstName: entered('firstName') || undefined, name, password };
  } catch (error) {
    if (error instanceof TimeZoneError) return 'wrongZone';
    throw error;
  }
}

function writeNextSteps(
  { site }: SetUpDependencies,
  { words }: Visit,
  { pid, company }: { readonly pid: number; readonly company: string },
): string {
  const { say } = words;
  const content = (
    <Message heading={say('isSetUp')}>
      <p>{say('yourPid', String(pid))}</p>
      <h2>{say('howDataComeIn')}</h2>
      <ul>
        <li>
          <Prose text={say('fromTable')} href={`${site.base}/import`} />
        </li>
        <li>
          <Prose text={say('fromProgram', company)} />
        </li>
        <li>
          <Prose text={say('fromFile')} />
        </li>
      </ul>
      <p>
        <Prose text={say('goOnHere')} href={`${site.apiUrl}/`} />
      </p>
      <p>
        <a href={`${site.base}/`}>{say('operations')}</a>
      </p>
    </Message>
  );
  return writePage({ title: say('isSetUp'), words, site, person: undefined, content });
}
