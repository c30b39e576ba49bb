import { setImmediate } from 'node:timers/promises';
import { type PreparedEvent, prepareEvent } from '@takt/events';
import type { InvalidEvent } from '../event-errors.js';

/** An event that is refused, identified by its index in the request. */
interface Refused {
  readonly index: number;
  /** The id in the event; null if the event has no id that can be shown. */
  readonly id: string | null;
}

/** An event of a company for which the token may not publish. */
interface ForeignEvent extends Refused {
  readonly database: string;
}

export interface Judged {
  /** The valid events, in the order of the request. */
  readonly taken: readonly PreparedEvent[];
  readonly invalid: readonly (InvalidEvent & Refused)[];
  readonly foreign: readonly ForeignEvent[];
}

/** Time in milliseconds for which one request may block the event loop before other requests get a turn. */
const TURN_MS = 2;

/**
 * Validates each event by itself. Rejects if reading an event throws.
 * @param codes codes of the companies for which events may be published
 */
export async function judgeEvents(events: Iterable<unknown>, codes: ReadonlySet<string>): Promise<Judged> {
  const taken: PreparedEvent[] = [];
  const invalid: (InvalidEvent & Refused)[] = [];
  const foreign: ForeignEvent[] = [];
  let index = 0;
  let turnEndsAtMs = performance.now() + TURN_MS;
  for (const event of events) {
    const result = prepareEvent(event);
    if (!result.ok) {
      invalid.push({ index, id: idOf(event), problems: result.problems });
    } else if (codes.has(companyOf(result.prepared))) {
      taken.push(result.prepared);
    } else {
      foreign.push({ index, id: idOf(event), database: companyOf(result.prepared) });
    }
    index += 1;
    if (performance.now() > turnEndsAtMs) {
      await setImmediate();
      turnEndsAtMs = performance.now() + TURN_MS;
    }
  }
  return { taken, invalid, foreign };
}

/** Returns the company of an event. The contract requires `database` in the data of each event type. */
function companyOf({ data: event }: PreparedEvent): string {
  const data = isObject(event) ? event['data'] : undefined;
  return isObject(data) ? String(data['database']) : '';
}

const MAX_ID_LENGTH = 255;

function idOf(event: unknown): string | null {
  const id = isObject(event) ? event['id'] : undefined;
  return typeof id === 'string' && id.length <= MAX_ID_LENGTH ? id : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
