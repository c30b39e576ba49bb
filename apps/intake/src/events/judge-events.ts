import { type PreparedEvent, prepareEvent } from '@takt/events';
import type { InvalidEvent } from '../event-errors.js';

/** An event that is not taken, by its position in the request, from 0. */
interface Refused {
  readonly index: number;
  /** As the event names itself; null: it has no name that could be shown. */
  readonly id: string | null;
}

/** One of a company that the token may not publish for. */
interface ForeignEvent extends Refused {
  readonly database: string;
}

export interface Judged {
  /** What is taken, in the order of the request. */
  readonly taken: readonly PreparedEvent[];
  /** What breaks a rule. */
  readonly invalid: readonly (InvalidEvent & Refused)[];
  readonly foreign: readonly ForeignEvent[];
}

/**
 * Looks at each event by itself. Rejects where reading one throws.
 * @param codes of the companies that may be published for
 * @param rest awaited after each event
 */
export async function judgeEvents(
  events: Iterable<unknown>,
  codes: ReadonlySet<string>,
  rest: () => Promise<void> | undefined,
): Promise<Judged> {
  const taken: PreparedEvent[] = [];
  const invalid: (InvalidEvent & Refused)[] = [];
  const foreign: ForeignEvent[] = [];
  let index = 0;
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
    const resting = rest();
    if (resting !== undefined) await resting;
  }
  return { taken, invalid, foreign };
}

/** Every event is of a company: the contract has `database` in the data of each type. */
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
