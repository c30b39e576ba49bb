import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { RejectionOverview } from '@takt/rejected-events';
import type { Logger } from '@takt/runtime';
import { type Answer, answerHtml, type Route, type Visit } from '../http/answer.js';
import { writePage } from '../pages/frame.js';
import { LIVE_SCRIPT } from '../pages/live-script.js';
import { maySee, type People, type Person } from '../person.js';
import { groupByRule } from '../rejected/groups.js';
import { operationsPage, writeRegions } from './page.js';
import { readQuickState, readSlowState, type StatePlace } from './read-state.js';
import { createSampler, type Sample } from './sampler.js';
import type { OperationsView } from './view.js';

export interface OperationsPlace extends StatePlace {
  readonly people: People;
  readonly overview: RejectionOverview;
  readonly base: string;
  readonly logger: Logger;
}

export interface Operations {
  readonly routes: readonly Route[];
  /** Ends sampling, and the connections of who watches. */
  close(): void;
}

/** Who watches live, over all; one more is told to come back by reloading. */
export const MAX_WATCHERS = 50;
/** A browser that lost its connection comes back after so long. */
const RETRY_MS = 5_000;
/** A rejected event is seen on the page within this. */
const REJECTED_MAX_AGE_MS = 5_000;

/** The page that says how Takt gets on, and what keeps it up to date. */
export function openOperations(place: OperationsPlace): Operations {
  const { people, overview, base, logger } = place;
  const sampler = createSampler({
    readQuick: () => readQuickState(place),
    readSlow: () => readSlowState(place),
    onError: (error) => logger.warn({ error }, 'the state of queues and database could not be read'),
  });
  const streams = new Set<PassThrough>();
  const script = readFileSync(new URL(import.meta.resolve('#assets/live.js')), 'utf8');

  const viewOf = async (sample: Sample, person: Person): Promise<OperationsView> => {
    const { events, isCut } = await overview.read({ maxAgeMs: REJECTED_MAX_AGE_MS });
    const visible = events.filter(({ company }) => maySee(person, company));
    const { sources, unlisted, unlistedVersions } = sample.slow;
    const ofTheirs = ({ database }: { readonly database: string }) => person.companies.has(database);
    return {
      sample,
      rejected: { total: visible.length, groups: groupByRule(visible), isCut },
      unlisted: unlisted.filter(ofTheirs),
      unlistedVersions: unlistedVersions.filter(ofTheirs),
      sources: sources.filter(ofTheirs),
      hasAllCompanies: person.hasAllCompanies,
      base,
    };
  };

  const show = async (_visit: Visit, person: Person): Promise<Answer> => {
    const content = operationsPage(await viewOf(await sampler.read(), person));
    return answerHtml(writePage({ title: 'Operations', base, person, path: '/', isLive: true, content }));
  };

  /** Server-sent events: the parts of the page, as HTML by the ids of their elements, as often as they are sampled. */
  const watch = async (visit: Visit, { token }: Person): Promise<Answer> => {
    if (streams.size >= MAX_WATCHERS) {
      return {
        status: 503,
        headers: { 'Content-Type': 'text/plain', 'Retry-After': '30' },
        body: 'too many watch\n',
      };
    }
    const stream = new PassThrough();
    streams.add(stream);
    stream.write(`retry: ${RETRY_MS}\n\n`);
    let isBusy = false;
    const tell = async (sample: Sample | undefined) => {
      // Who reads slower than it changes gets what is newest, later.
      if (isBusy || stream.writableNeedDrain) return;
      isBusy = true;
      try {
        const person = await people.find(token);
        if (person === undefined) {
          // The page that is loaded then asks to sign in.
          stream.end('event: ended\ndata: {}\n\n');
        } else if (sample === undefined) {
          stream.write('event: unknown\ndata: {}\n\n');
        } else {
          stream.write(`data: ${JSON.stringify(writeRegions(await viewOf(sample, person)))}\n\n`);
        }
      } catch (error) {
        logger.warn({ error }, 'the state could not be told');
      } finally {
        isBusy = false;
      }
    };
    const release = sampler.watch((sample) => void tell(sample));
    const end = () => {
      release();
      streams.delete(stream);
      stream.destroy();
    };
    stream.once('finish', () => setImmediate(end));
    visit.gone.addEventListener('abort', end, { once: true });
    if (visit.gone.aborted) end();
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
      body: stream,
    };
  };

  return {
    routes: [
      { method: 'GET', path: '/', access: 'signed-in', answer: show },
      { method: 'GET', path: '/live', access: 'signed-in', answer: watch },
      {
        ...{ method: 'GET', path: LIVE_SCRIPT, access: 'signed-in' },
        answer: async () => ({
          status: 200,
          headers: { 'Content-Type': 'text/javascript; charset=utf-8' },
          body: script,
        }),
      },
    ],
    close: () => {
      sampler.close();
      for (const stream of streams) stream.destroy();
    },
  };
}
