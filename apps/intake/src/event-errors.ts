import { ServiceError } from '@takt/catalogue/errors';
import type { EventProblem } from '@takt/events';

/** An event that is not taken, by its position in the request, from 0. */
export interface InvalidEvent {
  readonly index: number;
  readonly problems: readonly EventProblem[];
}

/**
 * What a problem of the event at `index` of a request, from 0, is to its sender. In English it holds the very text of
 * describeProblems, which the worker and the command line tell; a rule that no other language knows does not compile.
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

/** More problems help nobody, and a request of 1,000 bad events may hold 27,000: an answer many times its size. */
const MAX_FAULTS = 1_000;

/**
 * Why these events are left out where others are taken, each in the form of an error: its first problem, and as inner
 * errors its others, of which all events together are told a thousand.
 */
export function rejectionsOf(invalid: readonly InvalidEvent[]): readonly ServiceError[] {
  let room = MAX_FAULTS;
  return invalid.map(({ index, problems }) => {
    const told = problems.slice(0, 1 + room);
    room -= told.length - 1;
    return rejectionOf(told, index);
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

/** Why nothing is taken of a request of so many events: the problems of the invalid ones, up to the thousandth. */
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

/** The event at `index` is of a company that the token may not publish for, whether there is such a company or not. */
export function foreignCompany(index: number, database: string): ServiceError {
  return new ServiceError('companyOfEventNotPermitted', { index: String(index), database });
}

/** The request holds more events than `limit`. */
export function tooManyEvents(limit: number): ServiceError {
  return new ServiceError('tooManyEvents', { limit: String(limit) });
}

/** The event at `index` holds more values than `limit`; the body has been read up to `byte`, from 0. */
export function tooManyValuesInEvent(index: number, limit: number, byte: number): ServiceError {
  return new ServiceError('tooManyValuesInEvent', {
    index: String(index),
    limit: String(limit),
    byte: String(byte),
  });
}

/** The events of the request hold more values than `limit` together, up to the one at `index`. */
export function tooManyValues(index: number, limit: number): ServiceError {
  return new ServiceError('tooManyValues', { index: String(index), limit: String(limit) });
}
