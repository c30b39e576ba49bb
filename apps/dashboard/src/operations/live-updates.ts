import type { FlowRange } from '@takt/database/monitoring';
import type { ApiAnswer } from '@takt/http';
import { ConcurrencyLimiter, type Logger } from '@takt/run';
import type { People, Person, Visit } from '../visit.js';
import type { Words } from '../words.js';
import { rangeOf, writeRegions } from './page.js';
import type { Sample, Sampler } from './sampler.js';
import type { OperationsView } from './view.js';

/** Makes the content of the page for a person, from a sample of the state. */
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
  /** Ends the watchers' answers. */
  close(): void;
}

/**
 * Maximum number of open pages that are updated live. Further pages ask their reader to reload them. A browser opens at
 * most six connections to a server.
 */
export const MAX_WATCHERS = 50;
export const WATCHERS_OF = { person: 5, address: 25 } as const;
const TOO_MANY = `Too many pages are open for live updates, at most ${WATCHERS_OF.person} per person and ${MAX_WATCHERS} in all. Reload this one to see changes.\n`;
/** A browser reconnects after this delay. */
const RETRY_MS = 5_000;
/** Updates open pages by server-sent events. */
export function openLiveUpdates({ sampler, people, viewOf, logger }: LiveDependencies): LiveUpdates {
  const watchers = new ConcurrencyLimiter({ capacity: MAX_WATCHERS, shares: WATCHERS_OF, maxWaiting: 0 });
  let isClosed = false;

  /**
   * Makes the next server-sent event for an open page: the parts of the page whose HTML differs from `sent`. Stores
   * their HTML in `sent`.
   */
  const nextEvent = async (
    token: string,
    shown: Parameters<ReadView>[2],
    sent: Map<string, string>,
  ): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    const sample = await sampler.next();
    try {
      const person = await people.find(token);
      // The event makes the browser reload the page, which then asks to sign in.
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
   * Answers with server-sent events: after each sample, one with the changed parts of the page, as HTML by element id.
   * A slow reader skips samples and gets the newest state.
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
