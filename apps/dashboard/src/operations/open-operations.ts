import { readFileSync } from 'node:fs';
import {
  type AlarmSettings,
  acknowledgeAlarm,
  findAlarms,
  MAX_ACKNOWLEDGEMENT,
  withRecords,
} from '@takt/alarms';
import { type FlowRange, type FlowSlot, readFlowHistory } from '@takt/database/monitoring';
import type { RejectionOverview, RejectionSnapshot } from '@takt/database/rejected-events';
import type { ApiAnswer } from '@takt/http';
import { ConcurrencyLimiter, type Logger, withDeadline } from '@takt/run';
import { LIVE_SCRIPT, writePage } from '../pages/frame.js';
import { groupByRule } from '../rejected/filter.js';
import {
  answerHtml,
  answerRedirect,
  maySee,
  type PageRoute,
  type People,
  type Person,
  type Visit,
} from '../visit.js';
import type { Words } from '../words.js';
import { alarmsPage, operationsPage, rangeOf, writeRegions } from './page.js';
import { readSampledState, readSlowState, type StateDependencies } from './read-state.js';
import { createSampler, type Sample } from './sampler.js';
import type { OperationsView, RejectedSummary } from './view.js';

interface OperationsDependencies extends StateDependencies {
  readonly baseUrl: string;
  readonly alarms: AlarmSettings;
  readonly people: People;
  readonly overview: RejectionOverview;
  readonly base: string;
  readonly logger: Logger;
}

export interface Operations {
  readonly routes: readonly PageRoute[];
  /** Stops sampling and closes the watchers' connections. */
  close(): void;
}

/**
 * Maximum number of pages that are updated live at a time; further ones show a message to reload. A browser opens at
 * most six.
 */
export const MAX_WATCHERS = 50;
export const WATCHERS_OF = { person: 5, address: 25 } as const;
const TOO_MANY = `Too many pages are open for live updates, at most ${WATCHERS_OF.person} per person and ${MAX_WATCHERS} in all. Reload this one to see changes.\n`;
/** A browser reconnects after this delay. */
const RETRY_MS = 5_000;
/** Rejected events appear on the page within this time. */
const REJECTED_MAX_AGE_MS = 5_000;
const REJECTED_DEADLINE_MS = 3_000;

/** The start page with its live updates. */
export function openOperations(dependencies: OperationsDependencies): Operations {
  const { pool, people, overview, base, logger } = dependencies;
  const readHistory = createHistoryReader((range) => readFlowHistory(pool, range));
  const sampler = createSampler({
    readQuick: () => readSampledState(dependencies),
    readSlow: () => readSlowState(dependencies),
    onError: (error) => logger.warn({ error }, 'the state of queues and database could not be read'),
  });
  const watchers = new ConcurrencyLimiter({ capacity: MAX_WATCHERS, shares: WATCHERS_OF, maxWaiting: 0 });
  let isClosed = false;
  const script = readFileSync(new URL(import.meta.resolve('#assets/live.js')));

  /** Reads the rejected events; undefined if the queues do not answer, which is an alarm of its own. */
  const readRejected = async (): Promise<RejectionSnapshot | undefined> => {
    const reading = overview.read({ maxAgeMs: REJECTED_MAX_AGE_MS });
    return withDeadline<RejectionSnapshot | undefined>(reading, REJECTED_DEADLINE_MS, () => undefined).catch(
      (error: unknown) => {
        logger.warn({ error }, 'rejected events could not be read');
        return undefined;
      },
    );
  };

  const viewOf = async (
    sample: Sample,
    person: Person,
    { range, words }: { readonly range: FlowRange; readonly words: Words },
  ): Promise<OperationsView> => {
    const [snapshot, history] = await Promise.all([readRejected(), readHistory(range)]);
    const { sources, unlisted, unlistedVersions } = sample.slow;
    const ofTheirs = ({ database }: { readonly database: string }) => maySee(person, database);
    return {
      sample,
      alarms: withRecords(findAlarms({ ...sample, ...sample.slow }, dependencies.alarms), sample.records),
      range,
      history,
      rejected: snapshot && summaryOf(snapshot, person),
      unlisted: unlisted.filter(ofTheirs),
      unlistedVersions: unlistedVersions.filter(ofTheirs),
      sources: sources.filter(ofTheirs),
      mayOperate: person.mayOperate,
      base,
      words,
    };
  };

  const show = async ({ query, words }: Visit, person: Person): Promise<ApiAnswer> => {
    const content = operationsPage(
      await viewOf(await sampler.read(), person, { range: rangeOf(query), words }),
    );
    return answerHtml(
      writePage({ title: words.say('operations'), words, base, person, path: '/', isLive: true, content }),
    );
  };

  /** Returns the next server-sent event for a session: the parts that differ from `told`, which this call updates. */
  const nextEvent = async (
    token: string,
    shown: { readonly range: FlowRange; readonly words: Words },
    sent: Map<string, string>,
  ): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    const sample = await sampler.next();
    try {
      const person = await people.find(token);
      // The page is reloaded then, and asks to sign in.
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
   * Sends server-sent events: after each sample the changed parts of the page, as HTML by element id. A slow reader
   * gets the newest state.
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

  const showAlarms = async ({ words }: Visit, person: Person): Promise<ApiAnswer> => {
    const content = alarmsPage(await sampler.read(), words);
    return answerHtml(
      writePage({ title: words.say('alarmsOfMonth'), words, base, person, path: '/alarms', content }),
    );
  };

  const acknowledge = async ({ form }: Visit, person: Person): Promise<ApiAnswer> => {
    const words = (form.get('words') ?? '').trim().slice(0, MAX_ACKNOWLEDGEMENT);
    const alarmId = Number(form.get('alarm'));
    if (words !== '' && Number.isSafeInteger(alarmId)) {
      const isKept = await acknowledgeAlarm(pool, { alarmId, person: person.name, words });
      if (isKept) logger.info({ pid: person.pid, person: person.name, alarmId }, 'an alarm was acknowledged');
      sampler.expire();
    }
    return answerRedirect(`${dependencies.baseUrl}/`);
  };

  return {
    routes: [
      { method: 'GET', path: '/', access: 'signed-in', answer: show },
      { method: 'GET', path: '/live', access: 'signed-in', answer: watch },
      { method: 'GET', path: '/alarms', access: 'signed-in', answer: showAlarms },
      { method: 'POST', path: '/alarms/acknowledge', access: 'operate-queues', answer: acknowledge },
      {
        ...{ method: 'GET', path: LIVE_SCRIPT, access: 'signed-in' },
        answer: async (): Promise<ApiAnswer> => ({
          status: 200,
          headers: { 'Content-Type': 'text/javascript; charset=utf-8' },
          body: script,
          isStreamed: false,
        }),
      },
    ],
    close: () => {
      isClosed = true;
      sampler.close();
    },
  };
}

function summaryOf({ events, isCut }: RejectionSnapshot, person: Person): RejectedSummary {
  const visible = events.filter(({ company }) => maySee(person, company));
  const total = visible.length;
  return { total, hidden: events.length - total, groups: groupByRule(visible), isCut };
}

const HISTORY_MAX_AGE_MS = 10_000;

/** Reads each range once for all viewers. */
function createHistoryReader(read: (range: FlowRange) => Promise<readonly FlowSlot[]>) {
  const known = new Map<FlowRange, { readonly atMs: number; readonly slots: Promise<readonly FlowSlot[]> }>();
  return (range: FlowRange): Promise<readonly FlowSlot[]> => {
    const cached = known.get(range);
    if (cached !== undefined && performance.now() - cached.atMs < HISTORY_MAX_AGE_MS) return cached.slots;
    const slots = read(range);
    known.set(range, { atMs: performance.now(), slots });
    slots.catch(() => known.delete(range));
    return slots;
  };
}
