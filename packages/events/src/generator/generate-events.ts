import type { EventInput } from '../event-types/event-definitions.js';
import { inventFactory } from './factory.js';
import { masterDataEvents } from './master-data-events.js';
import { operationEvents } from './operation-events.js';
import { createRandom, createShareSelector, type Random } from './random.js';
import { FIRST_OPERATION_ID } from './shop-floor.js';

export interface GenerateOptions {
  /**
   * Number of operation events to generate: completions, corrections and reopenings. Master data and duplicates are not
   * counted.
   */
  readonly events: number;
  /** Number of structure versions, in all companies together. Default 250. */
  readonly structureVersions?: number;
  /** Codes of the companies. Default: the single company TEM-NO. */
  readonly companies?: readonly string[];
  /** Id of the first operation in each company. The ids of work orders start 500,000 below. Default 1,000,001. */
  readonly firstOperationId?: number;
  /** Seed of the random numbers, an integer from 0 to 2^53 - 1. Default 1. */
  readonly seed?: number;
  /** Share of the `events` that change an earlier operation, from 0 to 1. Default 0. */
  readonly corrections?: number;
  /** Number of duplicates, as a share of `events` from 0 to 1. Default 0. */
  readonly duplicates?: number;
}

/** Each purpose has a random stream with its own number. The companies' factories use the numbers that follow these. */
const OPERATIONS_STREAM = 1;
const DUPLICATES_STREAM = 2;
const FIRST_FACTORY_STREAM = 3;

/**
 * Generates events of invented factories for the year that ends on 2025-12-26. Master data of all structure versions
 * and some application versions come first, then operations in chronological order. The same options give the same
 * events on any machine, and the share of duplicates does not change the other events. Memory does not grow with
 * `events`. Throws a RangeError when the first event is requested if an option is out of range.
 */
export function* generateEvents(options: GenerateOptions): Generator<EventInput, void> {
  const {
    structureVersions = 250,
    companies = ['TEM-NO'],
    seed = 1,
    firstOperationId = FIRST_OPERATION_ID,
    corrections = 0,
    duplicates = 0,
  } = options;
  assertInteger('events', options.events, 0);
  assertInteger('seed', seed, 0);
  assertInteger('firstOperationId', firstOperationId, 1);
  assertInteger('structureVersions', structureVersions, companies.length);
  assertShare('corrections', corrections);
  assertShare('duplicates', duplicates);
  if (companies.length === 0) throw new RangeError('companies must name at least one');

  const factories = companies.map((company, index) => {
    const share = Math.floor((structureVersions + companies.length - 1 - index) / companies.length);
    return inventFactory(company, share, seed, FIRST_FACTORY_STREAM + index);
  });
  for (const factory of factories) yield* masterDataEvents(factory);
  const operations = operationEvents({
    factories,
    events: options.events,
    firstOperationId,
    corrections,
    random: createRandom(seed, OPERATIONS_STREAM),
  });
  yield* withDuplicates(operations, {
    total: options.events,
    share: duplicates,
    random: createRandom(seed, DUPLICATES_STREAM),
  });
}

function assertInteger(name: string, value: number, minimum: number): void {
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new RangeError(`${name} must be an integer of at least ${minimum}, not ${value}`);
  }
}

function assertShare(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} must be a share from 0 to 1, not ${value}`);
}

/** A duplicate follows its original after at most this many events. */
const MAX_DELAY_EVENTS = 2_000;

/** Yields the events, and repeats a `share` of them exactly, later in the stream. */
function* withDuplicates(
  events: Iterable<EventInput>,
  options: { readonly total: number; readonly share: number; readonly random: Random },
): Generator<EventInput> {
  const isCopied = createShareSelector(options.total, options.share, options.random);
  const due = new Map<number, EventInput[]>();
  let position = 0;
  for (const event of events) {
    yield event;
    if (isCopied()) {
      const copyPosition = position + options.random.below(MAX_DELAY_EVENTS);
      const others = due.get(copyPosition);
      if (others === undefined) {
        due.set(copyPosition, [event]);
      } else {
        others.push(event);
      }
    }
    yield* due.get(position) ?? [];
    due.delete(position);
    position += 1;
  }
  for (const [, copies] of [...due].sort(([one], [other]) => one - other)) yield* copies;
}
