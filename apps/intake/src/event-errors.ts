import { ServiceError } from '@takt/catalogue/errors';
import type { EventProblem } from '@takt/events';

/** An invalid event, by its index in the request. */
export interface InvalidEvent {
  readonly index: number;
  readonly problems: readonly EventProblem[];
}

/**
 * Returns the error for a problem of the event at `index`. Its English text is that of describeProblems, which worker
 * and command line use. A rule without a translation does not compile.
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
 * Limit of listed faults: a request of 1,000 bad events may have 27,000, which would make the answer many times as
 * large as the request.
 */
const MAX_FAULTS = 1_000;

/**
 * Describes the events that were left out while others were accepted, one error per event: its first problem, with its
 * other problems as inner errors, up to a thousand over all events.
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

/** The error of a request with this many events: the problems of the invalid ones, up to a thousand. */
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

/** The event at `index` is of a company that the token may not publish for, or that does not exist. */
export function foreignCompany(index: number, database: string): ServiceError {
  return new ServiceError('companyOfEventNotPermitted', { index: String(index), database });
}

/** The request has more than `limit` events. */
export function tooManyEvents(limit: number): ServiceError {
  return new ServiceError('tooManyEvents', { limit: String(limit) });
}

/** The event at `index` has more than `limit` values; the body was read up to `byte`, from 0. */
export function tooManyValuesInEvent(index: number, limit: number, byte: number): ServiceError {
  return new ServiceError('tooManyValuesInEvent', {
    index: String(index),
    limit: String(limit),
    byte: String(byte),
  });
}

/** The events of the request together have more than `limit` values, up to the one at `index`. */
export function tooManyValues(index: number, limit: number): ServiceError {
  return new ServiceError('tooManyValues', { index: String(index), limit: String(limit) });
}
