import type { FlowRange } from '@takt/database/monitoring';
import type { ApiAnswer } from '@takt/http';
import { ConcurrencyLimiter, type Logger } from '@takt/run';
import type { People, Person, Visit } from '../visit.js';
import type { Words } from '../words.js';
import { rangeOf, writeRegions } from './page.js';
import type { Sample, Sampler } from './sampler.js';
import type { OperationsView } from './view.js';

/** Makes the view that one person gets of a sample. */
export type ReadView = (
  sample: Sample,
  person: Person,
  shown: { readonly range: FlowRange; readonly words: Words },
) => Promise<OperationsView>;

interface LiveDependencies {
  readonly sampler: Sampler;
  readonly people: People;
  readonly viewOf: ReadView;
  readonly logger: Logger;
}

interface LiveUpdates {
  watch(visit: Visit, person: Person): Promise<ApiAnswer>;
  /** Ends the answers to all watchers. */
  close(): void;
}

/**
 * Maximum number of pages that are updated live at the same time. Further pages show a message that asks to reload. A
 * browser opens at most six such connections.
 */
export const MAX_WATCHERS = 50;
export const WATCHERS_OF = { person: 5, address: 25 } as const;
const TOO_MANY = `Too many pages are open for live updates, at most ${WATCHERS_OF.person} per person and ${MAX_WATCHERS} in all. Reload this one to see changes.\n`;
/** Delay after which a browser reconnects. */
const RETRY_MS = 5_000;
/** Opens the live updates, which update open pages by server-sent events. */
export function openLiveUpdates({ sampler, people, viewOf, logger }: LiveDependencies): LiveUpdates {
  const watchers = new ConcurrencyLimiter({ capacity: MAX_WATCHERS, shares: WATCHERS_OF, maxWaiting: 0 });
  let isClosed = false;

  /**
   * Returns the next server-sent event for a session. It has the parts of the page that differ from `sent`. The call
   * stores these parts in `sent`.
   */
  const nextEvent = async (
    token: string,
    shown: Parameters<ReadView>[2],
    sent: Map<string, string>,
  ): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    const sample = await sampler.next();
    try {
      const person = await people.find(token);
      // The page is then reloaded and asks to sign in.
      if (person === undefined) return { text: 'event: ended\ndata: {}\n\n', isLast: true };
      if (sample !== undefined) {
        const regions = Object.entries(writeRegions(await viewOf(sample, person, shown)));
        const changed = regions.filter(([id, html]) => sent.get(id) !== html);
        for (const [id, html] of changed) sent.set(id, html);
        return { text: `data: ${JSON.stringify(Object.fromEntries(changed))}\n\n`, isLast: false };
      }
    } catch (error) {
      logger.warn({ error }, 'the state could not be sent');
    }
    return { text: 'event: unknown\ndata: {}\n\n', isLast: false };
  };

  /**
   * Sends server-sent events. After each sample, the changed parts of the page are sent as HTML by element id. A slow
   * reader gets only the newest state.
   */
  const watch = async ({ address, query, words }: Visit, { token, pid }: Person): Promise<ApiAnswer> => {
    const leave = await watchers.enter({ owners: { person: String(pid ?? token), address } });
    if (typeof leave === 'string') {
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '30' };
      return { status: 503, headers, body: [TOO_MANY], isStreamed: false };
    }
    const sent = new Map<string, string>();
    let hasBegun = false;
    let isOver = false;
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
      body: {
        next: async () => {
          if (!hasBegun) {
            hasBegun = true;
            return `retry: ${RETRY_MS}\n\n`;
          }
          if (isOver || isClosed) return undefined;
          const { text, isLast } = await nextEvent(token, { range: rangeOf(query), words }, sent);
          isOver ||= isLast;
          return isClosed ? undefined : text;
        },
        end: async () => {
          isOver = true;
          leave();
        },
      },
      isStreamed: true,
    };
  };

  return {
    watch,
    close: () => {
      isClosed = true;
    },
  };
}
