import { noteOperatorEntry } from '@takt/access';
import type { Database } from '@takt/database';
import type { RejectedEvents, RejectionOverview } from '@takt/database/rejected-events';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import type { Logger } from '@takt/run';
import { writeGone } from '../pages/error-pages.js';
import { type DashboardPage, writePage } from '../pages/frame.js';
import { answerHtml, type People, type Person, type Visit } from '../visit.js';
import type { DashboardText } from '../words.js';
import { AUDITED, type BulkRuns } from './bulk-runs.js';
import type { Visibility } from './visibility.js';

/** The dependencies that all pages of rejected events share. */
export interface Room {
  readonly people: People;
  readonly baseUrl: string;
  readonly base: string;
  readonly rejected: RejectedEvents;
  readonly overview: RejectionOverview;
  readonly visibility: Visibility;
  readonly runs: BulkRuns;
  /**
   * Writes a change of one event to the log and to the audit log. It is called before the change, so that a crash
   * leaves no change without an entry.
   */
  readonly note: (person: Person, action: keyof typeof AUDITED, id: string) => Promise<void>;
}

export type Answer = (room: Room, visit: Visit, person: Person) => Promise<ApiAnswer>;

export function noteChange({
  pool,
  logger,
}: {
  readonly pool: Database['pool'];
  readonly logger: Logger;
}): Room['note'] {
  return async ({ token, pid, name }, action, id) => {
    logger.info({ pid, person: name, action, id }, 'a rejected event is changed');
    await noteOperatorEntry(pool, token, { action: AUDITED[action], subject: id, details: {} });
  };
}

/** A visit together with its person and the base of links. */
interface VisitContext {
  readonly base: string;
  readonly person: Person;
  readonly visit: Visit;
}

export function answerPage(
  { base, person, visit: { words } }: VisitContext,
  title: DashboardText,
  content: Markup,
  { status, ...more }: Partial<DashboardPage> & Partial<Pick<ApiAnswer, 'status'>> = {},
): ApiAnswer {
  const page = { title: words.say(title), words, base, person, path: '/rejected', content };
  return answerHtml(writePage({ ...page, ...more }), status);
}

export function notThere({ base, person, visit: { words } }: VisitContext): ApiAnswer {
  return answerHtml(writeGone({ base, person, words }), 404);
}
