import * as z from 'zod';
import type { EventInput } from '../event-types/event-definitions.js';
import { readInstant } from '../kinds/instant.js';
import { type Factory, inventFactory, masterDataEvents } from './factory.js';
import { below, createRandom, createSelector, pick, pickEarly } from './random.js';
import { completed, correct, type Operation, openShopFloor } from './shop-floor.js';

/** Id of the first operation unless the caller gives another id. */
export const FIRST_OPERATION_ID = 1_000_001;
/** End of the year unless the caller gives another one. It is fixed, so that the same options give the same bytes. */
export const LAST_INSTANT = '2025-12-26T22:00:00Z';
const YEAR_MS = 364 * 86_400_000;
/** Only the newest operations are corrected, so that the memory does not grow with the number of events. */
const MAX_RECENT = 5_000;
/** A duplicate follows its original after about this many events. */
const DELAY_EVENTS = 1_000;
/** Each purpose has a random stream with its own number. The companies' factories use the numbers that follow these. */
const [OPERATIONS_STREAM, DUPLICATES_STREAM, FIRST_FACTORY_STREAM] = [1, 2, 3];

const share = z.number().min(0).max(1).default(0);
const optionsSchema = z.object({
  /** Number of completions, corrections and reopenings. Master data and duplicates are not counted. */
  events: z.int().min(0),
  /** Number of structure versions, in all companies together. */
  structureVersions: z.int().default(250),
  companies: z.array(z.string()).min(1).readonly().default(['TEM-NO']),
  /** Id of the first operation in each company. The ids of work orders start 500,000 below. */
  firstOperationId: z.int().min(1).default(FIRST_OPERATION_ID),
  until: z.string().default(LAST_INSTANT),
  /** Seed of the random numbers, an integer from 0 to 2^53 - 1. */
  seed: z.int().min(0).default(1),
  /** Share of the `events` that change an earlier operation. */
  corrections: share,
  /** Number of duplicates, as a share of `events`. */
  duplicates: share,
  /** If true, every second company names objects by keys, and the others by numbers. */
  keys: z.boolean().default(false),
});

export type GenerateOptions = z.input<typeof optionsSchema>;

/**
 * Generates events of invented factories for the 364 days before `until`. Master data come first, then operations in
 * chronological order. The same options give the same events on any machine, and the share of duplicates does not
 * change the other events. Memory does not grow with `events`. Throws a RangeError when the first event is requested if
 * an option is out of range.
 */
export function* generateEvents(options: GenerateOptions): Generator<EventInput, void> {
  const given = readOptions(options);
  const { events, companies, seed } = given;
  const startMs = Date.parse(given.until) - YEAR_MS;
  const instantAt = (part: number) => `${new Date(startMs + part * YEAR_MS).toISOString().slice(0, 19)}Z`;
  const factories = companies.map((company, index) => {
    const count = Math.floor((given.structureVersions + companies.length - 1 - index) / companies.length);
    const random = createRandom(seed, FIRST_FACTORY_STREAM + index);
    const isSecond = index % 2 === 1;
    const options = {
      language: isSecond ? 1 : 0,
      structureVersions: count,
      hasKeys: given.keys && isSecond,
    } as const;
    return inventFactory(company, options, random);
  });
  for (const factory of factories) yield* masterDataEvents(factory, instantAt(0));

  const random = createRandom(seed, DUPLICATES_STREAM);
  const isCopied = createSelector(events, Math.round(events * given.duplicates), random);
  const copies: EventInput[] = [];
  for (const event of operationEvents(factories, given, instantAt)) {
    yield event;
    if (isCopied()) copies.push(event);
    if (random() * DELAY_EVENTS < copies.length) yield* copies.splice(below(copies.length, random), 1);
  }
  yield* copies;
}

function readOptions(options: GenerateOptions) {
  const { success, data, error } = optionsSchema.safeParse(options);
  if (!success) throw new RangeError(`${String(error.issues[0]?.path[0])}: ${error.issues[0]?.message}`);
  if (data.structureVersions < data.companies.length) {
    throw new RangeError('structureVersions: there must be at least one for each company');
  }
  const until = readInstant(data.until) ?? '';
  if (until < '0002') throw new RangeError(`until: must be an instant after the year 1, not ${data.until}`);
  return { ...data, until };
}

/** Yields what the factories report, in chronological order. The first factories report the most. */
function* operationEvents(
  factories: readonly Factory[],
  { events, corrections, firstOperationId, seed }: ReturnType<typeof readOptions>,
  instantAt: (part: number) => string,
): Generator<EventInput> {
  const random = createRandom(seed, OPERATIONS_STREAM);
  const floors = factories.map((factory) => openShopFloor(factory, firstOperationId, random));
  const recent: Operation[] = [];
  const reopened = new Set<Operation>();
  // There is nothing to correct before the first event.
  const others = events - 1;
  const isCorrection = createSelector(others, Math.min(others, Math.round(events * corrections)), random);
  for (let number = 0, made = 0; number < events; number++) {
    const part = (number + random()) / events;
    const now = instantAt(part);
    if (number > 0 && isCorrection()) {
      const [waiting] = reopened;
      // Half of the corrections take a reopened operation if there is one, so that most are completed again.
      const operation = waiting !== undefined && random() < 0.5 ? waiting : pick(recent, random);
      yield correct(operation, reopened, now, random);
    } else {
      const operation = pickEarly(floors, random)(now, part);
      recent[made++ % MAX_RECENT] = operation;
      yield completed(operation, now, random);
    }
  }
}
