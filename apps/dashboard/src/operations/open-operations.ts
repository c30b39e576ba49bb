import { holds } from '@takt/access';
import {
  type AlarmRecord,
  type AlarmSettings,
  acknowledgeAlarm,
  type Facts,
  findAlarms,
  MAX_ACKNOWLEDGEMENT,
  withRecords,
} from '@takt/alarms';
import type { Database } from '@takt/database';
import { type FlowRange, readFlowHistory } from '@takt/database/monitoring';
import type { ApiAnswer } from '@takt/http';
import {
  countRejections,
  countRules,
  groupByRule,
  type RejectionReader,
  type RuleGroup,
} from '@takt/rejections';
import type { Logger } from '@takt/run';
import { concealWords } from '../concealed.js';
import { type Site, writePage } from '../pages/frame.js';
import { nameOfRule } from '../rejected/list-page.js';
import { readerOf } from '../rejected/reader.js';
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
import { openLiveUpdates, type ReadView } from './live-updates.js';
import { alarmsPage, operationsPage, rangeOf } from './page.js';
import { readSampledState, readSlowState, type StateDependencies } from './read-state.js';
import { createSampler } from './sampler.js';
import type { RejectedSummary } from './view.js';

interface OperationsDependencies extends StateDependencies {
  readonly baseUrl: string;
  readonly alarms: AlarmSettings;
  readonly people: People;
  readonly site: Site;
  readonly logger: Logger;
}

export interface Operations {
  readonly routes: readonly PageRoute[];
  /** Discards the present sample. To be called after a change of a queue. */
  expire(): void;
  /** Stops taking samples and closes the connections of the watchers. */
  close(): void;
}

/** Maximum time until a rejected event appears on the page. */
const REJECTED_MAX_AGE_MS = 5_000;

/** Opens the start page and its live updates. */
export function openOperations(dependencies: OperationsDependencies): Operations {
  const { pool, people, site, logger } = dependencies;
  const sampler = createSampler({
    readQuick: () => readSampledState(dependencies),
    readSlow: () => readSlowState(dependencies),
    onError: (error) => logger.warn({ error }, 'the state of queues and database could not be read'),
  });
  const viewOf = createViewReader(dependencies);
  const live = openLiveUpdates({ sampler, people, viewOf, logger });

  const show = async ({ query, words }: Visit, person: Person): Promise<ApiAnswer> => {
    const content = operationsPage(
      await viewOf(await sampler.read(), person, { range: rangeOf(query), words }),
    );
    return answerHtml(
      writePage({ title: words.say('operations'), words, site, person, path: '/', isLive: true, content }),
    );
  };

  const showAlarms = async ({ words }: Visit, person: Person): Promise<ApiAnswer> => {
    const { records, ...sample } = await sampler.read();
    const readable = readableRecord(readableBy(person, [], words));
    const content = alarmsPage({
      ...sample,
      alarms: findAlarms({ ...sample, ...sample.slow }, dependencies.alarms),
      records: records.map(readable),
      hasAllCompanies: person.hasAllCompanies,
      base: site.base,
      words,
    });
    return answerHtml(
      writePage({ title: words.say('alarmsOfMonth'), words, site, person, path: '/', content }),
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
      { method: 'GET', path: '/live', access: 'signed-in', answer: live.watch },
      { method: 'GET', path: '/alarms', access: 'signed-in', answer: showAlarms },
      { method: 'POST', path: '/alarms/acknowledge', access: ['operate-queues'], answer: acknowledge },
    ],
    expire: sampler.expire,
    close: () => {
      live.close();
      sampler.close();
    },
  };
}

/** Returns a function that makes the view of a sample. The view includes the history and the rejected events. */
function createViewReader({ pool, alarms, site, logger }: OperationsDependencies): ReadView {
  const readHistory = keepFor(HISTORY_MAX_AGE_MS, (range: FlowRange) => readFlowHistory(pool, range));
  const readSummary = keepFor(REJECTED_MAX_AGE_MS, (reader: string) => summarise(pool, JSON.parse(reader)));

  /** Reads the summary for one person; people who may see the same share it. */
  const readRejected = (person: Person): Promise<RejectedSummary | undefined> =>
    readSummary(JSON.stringify(readerOf(person))).then(
      (summary) => (readsProduction(person) ? summary : { ...summary, groups: [], rules: 0 }),
      (error: unknown) => {
        logger.warn({ error }, 'rejected events could not be read');
        return undefined;
      },
    );

  return async (sample, person, { range, words }) => {
    const [rejected, history] = await Promise.all([readRejected(person), readHistory(range)]);
    const { sources, unlisted, unlistedVersions } = sample.slow;
    const ofTheirs = ({ database }: { readonly database: string }) => maySee(person, database);
    const readable = readableBy(person, rejected?.groups ?? [], words);
    const records = sample.records.map(readableRecord(readable));
    const found = findAlarms({ ...sample, ...sample.slow }, alarms);
    return {
      sample: { ...sample, records },
      alarms: withRecords(
        found.map((alarm) => ({ ...alarm, facts: readable(alarm.facts) })),
        records,
      ),
      range,
      history,
      rejected,
      unlisted: unlisted.filter(ofTheirs),
      unlistedVersions: readsProduction(person) ? unlistedVersions.filter(ofTheirs) : [],
      sources: readsProduction(person)
        ? sources.filter(ofTheirs).map((one) => readableSource(person, one))
        : [],
      mayOperate: person.mayOperate,
      hasAllCompanies: person.hasAllCompanies,
      base: site.base,
      words,
    };
  };
}

function readableSource<One extends { readonly source: string; readonly lastEventId: string }>(
  { duties }: Person,
  one: One,
): One {
  const { source, lastEventId } = one;
  return { ...one, source: concealWords(source, duties), lastEventId: concealWords(lastEventId, duties) };
}

function readsProduction({ duties }: Person): boolean {
  return holds(duties, 'read-production-times');
}

type Readable<One> = (alarm: One) => One;

/**
 * Returns a function that writes the most common reason of rejections in an alarm in the language of the person. It
 * leaves the reason out unless the person may read the rejections of all companies: the reason may be of any company.
 */
function readableBy(person: Person, groups: readonly RuleGroup[], words: Words): Readable<Facts> {
  const isWhole = person.hasAllCompanies && readsProduction(person);
  return (facts) => {
    if (!('reason' in facts)) return facts;
    const group = groups.find(({ rule }) => rule === facts['reason']);
    const reason = group === undefined ? facts['reason'] : nameOfRule(group, words);
    return { ...facts, reason: isWhole ? (reason ?? '') : '' };
  };
}

/** Returns a record with its facts as the person may read them. */
const readableRecord =
  (readable: Readable<Facts>): Readable<AlarmRecord> =>
  ({ facts, begunFacts, ...record }) => ({
    ...record,
    facts: readable(facts),
    begunFacts: begunFacts && readable(begunFacts),
  });

const SHOWN_REASONS = 5;

async function summarise(pool: Database['pool'], reader: RejectionReader): Promise<RejectedSummary> {
  const [all, total, groups, rules] = await Promise.all([
    reader.companies === undefined ? undefined : countRejections(pool),
    countRejections(pool, { reader }),
    groupByRule(pool, { reader, limit: SHOWN_REASONS }),
    countRules(pool, { reader }),
  ]);
  return { total, hidden: (all ?? total) - total, groups, rules };
}

const HISTORY_MAX_AGE_MS = 10_000;
/** Maximum number of kept answers. */
const MAX_KEPT = 100;

/** Returns a function that reads each key once for all viewers, and keeps the answer for a while. */
function keepFor<Key extends string, Answer>(maxAgeMs: number, read: (key: Key) => Promise<Answer>) {
  const known = new Map<Key, { readonly atMs: number; readonly answer: Promise<Answer> }>();
  return (key: Key): Promise<Answer> => {
    const cached = known.get(key);
    if (cached !== undefined && performance.now() - cached.atMs < maxAgeMs) return cached.answer;
    const answer = read(key);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(key, { atMs: performance.now(), answer });
    answer.catch(() => known.delete(key));
    return answer;
  };
}
