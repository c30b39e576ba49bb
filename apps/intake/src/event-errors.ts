import { ServiceError } from '@takt/catalogue/errors';
import type { EventProblem } from '@takt/events';

/** An invalid event, identified by its index in the request. */
export interface InvalidEvent {
  readonly index: number;
  readonly problems: readonly EventProblem[];
}

/**
 * Returns the error for one problem of the event at `index`. The English text is the text of describeProblems, which
 * the worker and the command line use. If a rule has no translation, this does not compile.
 */
function innerErrorOf(
  { field, words: { rule, got } }: EventProblem,
  index: number,
  innerErrors: readonly ServiceError[] = [],
): ServiceError {
  return new ServiceError(
    'invalidEvent',
    {
      index: String(index),
      field: field || [{ phrase: 'event' }],
      rule: [rule],
      got: typeof got === 'string' ? got : [got],
    },
    { innerErrors },
  );
}

/**
 * Maximum number of faults that an answer lists. A request of 1,000 bad events may have 27,000 faults, which would make
 * the answer many times as large as the request.
 */
const MAX_FAULTS = 1_000;

/**
 * Describes the events that were left out while others were accepted. There is one error for each event: the first
 * problem of the event, with its other problems as inner errors. At most a thousand problems are listed over all
 * events.
 */
export function rejectionsOf(invalid: readonly InvalidEvent[]): readonly ServiceError[] {
  let room = MAX_FAULTS;
  return invalid.map(({ index, problems }) => {
    const reported = problems.slice(0, 1 + room);
    room -= reported.length - 1;
    return rejectionOf(reported, index);
  });
}

function rejectionOf([first, ...others]: readonly EventProblem[], index: number): ServiceError {
  if (first === undefined) throw new TypeError('only an event with a problem is left out');
  return innerErrorOf(
    first,
    index,
    others.map((other) => innerErrorOf(other, index)),
  );
}

/**
 * Returns the error of a request with `events` events. It lists the problems of the invalid events, at most a thousand.
 */
export function errorOf(invalid: readonly InvalidEvent[], events: number): ServiceError {
  const found = invalid.flatMap(({ index, problems }) => problems.map((problem) => ({ problem, index })));
  const innerErrors: ServiceError[] = found
    .slice(0, MAX_FAULTS)
    .map(({ problem, index }) => innerErrorOf(problem, index));
  const count = found.length - innerErrors.length;
  if (count > 0) innerErrors.push(new ServiceError('moreFaults', { count: String(count) }));
  return new ServiceError(
    'invalidEvents',
    { invalid: String(invalid.length), events: String(events) },
    { innerErrors },
  );
}

/**
 * Returns the error if the event at `index` is of a company for which the token may not publish, or of a company that
 * does not exist.
 */
export function foreignCompany(index: number, database: string): ServiceError {
  return new ServiceError('companyOfEventNotPermitted', { index: String(index), database });
}

/** Returns the error if the request has more than `limit` events. */
export function tooManyEvents(limit: number): ServiceError {
  return new ServiceError('tooManyEvents', { limit: String(limit) });
}

/**
 * Returns the error if the event at `index` has more than `limit` values. The body was read up to `byte`, which counts
 * from 0.
 */
export function tooManyValuesInEvent(index: number, limit: number, byte: number): ServiceError {
  return new ServiceError('tooManyValuesInEvent', {
    index: String(index),
    limit: String(limit),
    byte: String(byte),
  });
}

/**
 * Returns the error if the events of the request, up to the event at `index`, together have more than `limit` values.
 */
export function tooManyValues(index: number, limit: number): ServiceError {
  return new ServiceError('tooManyValues', { index: String(index), limit: String(limit) });
}
