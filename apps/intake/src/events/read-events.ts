import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '@takt/error-catalogue';
import { countAttributes, eventOfHeaders, isBinaryMode } from './binary-mode.js';
import { readContentType } from './content-types.js';
import {
  beginsArray,
  bodyNotJson,
  countValues,
  type EventPlace,
  findElements,
  findEvent,
  findLines,
  isBlank,
} from './find-events.js';
import { readUtf8 } from './read-text.js';

/** The events of a body, counted but not yet parsed. */
export interface EventsRead {
  readonly count: number;
  /** Of all of them, see MAX_VALUES. */
  readonly values: number;
  /**
   * Parses one event after the other, so that the objects of one exist at a time; a line that is no JSON stands for itself,
   * as text. Throws bodyNotJson at the first event of another body that is none.
   */
  readonly events: Iterable<unknown>;
}

/** Finds the events that a body holds. Throws a ServiceError where the body as a whole cannot be read, or holds too much. */
export function readEvents(headers: IncomingHttpHeaders, body: Buffer): EventsRead {
  const { form, charset } = readContentType(headers['content-type'] ?? '');
  const bytes = readUtf8(body, charset);
  const isNothing = isBlank(bytes, 0, bytes.length);
  const read = (places: readonly EventPlace[], make: (place: EventPlace) => unknown): EventsRead => ({
    count: places.length,
    values: countValues(places),
    events: map(places, make),
  });
  const parse = ({ start, end }: EventPlace): unknown => {
    try {
      return JSON.parse(bytes.toString('utf8', start, end));
    } catch {
      throw bodyNotJson(bytes);
    }
  };
  if (form === 'either' && isBinaryMode(headers)) {
    return read([findEvent(bytes, countAttributes(headers))], (place) =>
      eventOfHeaders(headers, isNothing ? undefined : parse(place)),
    );
  }
  if (isNothing) throw new ServiceError('emptyBody');
  if (form === 'lines') return read(findLines(bytes), (place) => readLine(bytes, place));
  if (form !== 'one' && beginsArray(bytes)) return read(findElements(bytes), parse);
  const place = findEvent(bytes);
  if (form === 'array') {
    parse(place);
    throw new ServiceError('batchNotArray');
  }
  return read([place], parse);
}

function* map<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Generator<Made> {
  for (const item of items) yield make(item);
}

/** A line that is no JSON is no event either; the answer shows it as it stands there. */
function readLine(bytes: Buffer, { start, end }: EventPlace): unknown {
  const line = bytes.toString('utf8', start, end);
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
