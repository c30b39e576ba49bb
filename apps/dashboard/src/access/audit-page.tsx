import { type AuditEntry, describeDetails } from '@takt/access';
import type { Markup } from '@takt/pages';
import { Instant, WideTable } from '../pages/parts.js';
import type { DashboardText, Words } from '../words.js';
import { AccessFrame, type AccessPageContext } from './list-pages.js';

interface AuditPage extends AccessPageContext {
  /** The entries of the audit log, newest first. */
  readonly entries: readonly AuditEntry[];
  readonly text: string;
  /** Id that starts the next page; undefined on the last page. */
  readonly nextBeforeId: number | undefined;
}

export function auditPage({ entries, text, nextBeforeId, ...context }: AuditPage): Markup {
  const { base, words } = context;
  const { say } = words;
  const columns = [say('when'), say('by'), say('action'), say('subject'), say('details')];
  const older = new URLSearchParams({ ...(text !== '' && { text }), before: String(nextBeforeId) });
  return (
    <AccessFrame title="auditLog" {...context}>
      <p class="intro">{say('auditIntro')}</p>
      <search aria-label={say('auditLog')}>
        <form class="search-bar" method="get" action={`${base}/access/audit-log`}>
          <label class="wide">
            {say('text')} <input type="search" name="text" value={text} maxlength={200} spellcheck={false} />
          </label>
          <button type="submit">{say('search')}</button>
        </form>
      </search>
      {entries.length === 0 ? (
        <p class="nothing">{say('noneThere')}</p>
      ) : (
        <WideTable name={say('auditLog')} columns={columns} words={words}>
          {entries.map(({ notedAt, actor, action, subject, details }) => (
            <tr>
              <td>
                <Instant ms={notedAt.getTime()} />
              </td>
              <td>{actor}</td>
              <td title={action}>{nameOfAction(action, words)}</td>
              <th scope="row">{nameOfSubject(action, subject, words)}</th>
              <td class="reason">{describeDetails(details, (name) => nameOfValue(name, words))}</td>
            </tr>
          ))}
        </WideTable>
      )}
      {nextBeforeId !== undefined && (
        <p>
          <a href={`${base}/access/audit-log?${older}`}>{say('older')}</a>
        </p>
      )}
    </AccessFrame>
  );
}

/** The things that entries are about, by the beginning of the action. */
const KINDS: Readonly<Record<string, DashboardText>> = {
  person: 'person',
  client: 'client',
  token: 'token',
  role: 'role',
  company: 'company',
  'opening-code': 'openingCode',
  rejected: 'rejectedEvents',
  queue: 'queue',
  job: 'job',
  import: 'import',
  login: 'databaseLogin',
};

const VERBS: Readonly<Record<string, DashboardText>> = {
  added: 'auditAdded',
  changed: 'auditChanged',
  removed: 'auditRemoved',
  invited: 'auditInvited',
  revoked: 'auditRevoked',
  restored: 'auditRestored',
  created: 'auditCreated',
  retried: 'auditRetried',
  discarded: 'auditDiscarded',
  corrected: 'auditCorrected',
  paused: 'auditPaused',
  resumed: 'auditResumed',
  taken: 'auditTaken',
  begun: 'auditBegun',
  undone: 'auditUndone',
  dropped: 'auditDropped',
};

/** An action such as `person-changed` in the language of the reader. One that this version does not know stays as it is. */
function nameOfAction(action: string, { say }: Words): string {
  const [, thing = '', done = ''] = /^(.*)-([a-z]+)$/.exec(action) ?? [];
  const [kind, verb] = [KINDS[thing], VERBS[done]];
  return kind === undefined || verb === undefined ? action : `${say(kind)}: ${say(verb)}`;
}

/** A subject such as `18 rejected events` in the language of the reader. Names and codes stay as they are. */
function nameOfSubject(action: string, subject: string, { say, count }: Words): string {
  const [, events] = /^(\d+) rejected events$/.exec(subject) ?? [];
  if (events !== undefined) return count('RejectedEvent', Number(events));
  // The subject of an entry about one event is its number.
  return action.startsWith('rejected-') ? `${say('rejectedEvent')} ${subject}` : subject;
}

/** The values of entries that have a name in every language. */
const VALUES: Readonly<Record<string, DashboardText>> = {
  companies: 'companies',
  company: 'company',
  roles: 'roles',
  duties: 'duties',
  permissions: 'permissions',
  name: 'name',
  first_name: 'firstName',
  email: 'email',
  password: 'password',
  description: 'description',
};

function nameOfValue(name: string, { say }: Words): string {
  const text = VALUES[name];
  return text === undefined ? name : say(text);
}
