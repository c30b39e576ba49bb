import { noteOperatorEntry } from '@takt/access';
import type { RejectedEvents, RejectionOverview, Resolver } from '@takt/database/rejected-events';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import type { Logger } from '@takt/run';
import { writeGone } from '../pages/error-pages.js';
import { type DashboardPage, writePage } from '../pages/frame.js';
import type { IdsOf } from '../sealed-ids.js';
import { answerHtml, type People, type Person, type Visit } from '../visit.js';
import type { DashboardText } from '../words.js';
import { AUDITED, type BulkRuns } from './bulk-runs.js';
import type { Visibility } from './visibility.js';

/** The dependencies that all pages of rejected events share. */
export interface Room {
  readonly people: People;
  readonly idsOf: IdsOf;
  readonly baseUrl: string;
  readonly base: string;
  readonly rejected: RejectedEvents;
  readonly overview: RejectionOverview;
  readonly visibility: Visibility;
  readonly runs: BulkRuns;
  /** Returns who changes one event. The change writes its entry of the audit log in its own transaction. */
  readonly resolverOf: (person: Person, action: keyof typeof AUDITED, id: string) => Resolver;
}

export type Answer = (room: Room, visit: Visit, person: Person) => Promise<ApiAnswer>;

export function openResolvers(logger: Logger): Room['resolverOf'] {
  return ({ token, pid, name }, action, id) => ({
    by: name,
    note: async (session) => {
      logger.info({ pid, person: name, action, id }, 'a rejected event is changed');
      await noteOperatorEntry(session, token, { action: AUDITED[action], subject: id, details: {} });
    },
  });
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
