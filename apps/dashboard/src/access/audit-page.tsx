import { type AuditEntry, describeDetails } from '@takt/access';
import type { Markup } from '@takt/pages';
import { Instant, WideTable } from '../pages/parts.js';
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
        <form class="filter" method="get" action={`${base}/access/audit-log`}>
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
              <td>{action}</td>
              <th scope="row">{subject}</th>
              <td class="reason">{describeDetails(details)}</td>
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
