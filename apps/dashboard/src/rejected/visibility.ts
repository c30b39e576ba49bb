import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
  type ResolvedEvent,
} from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { conceal, concealWords, mayHaveRestricted, readsAllOf } from '../concealed.js';
import { maySee, type Person } from '../visit.js';

/**
 * Knows which rejected events a person may see: the events of the person's companies, or all events if the person has
 * all companies.
 */
export interface Visibility {
  /** Returns the events that the person may see, with what the person may read of them. */
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /**
   * Returns the events with an id, with what the person may read of them, if the person may see all of them. Throws a
   * NotRejectedError if there are none.
   */
  find(person: Person, id: string): Promise<readonly RejectedEvent[] | undefined>;
  maySeeAll(person: Person, id: string): Promise<boolean>;
}

export function openVisibility(rejected: RejectedEvents): Visibility {
  const find = async (person: Person, id: string) => {
    const events = await rejected.find(id);
    return events.every(({ event }) => maySee(person, companyIn(event))) ? events : undefined;
  };
  return {
    ofFacts: (person, events) =>
      events.filter(({ company }) => maySee(person, company)).map((event) => readableFacts(person, event)),
    find: async (person, id) => (await find(person, id))?.map((event) => readable(person, event)),
    maySeeAll: async (person, id) => (await find(person, id)) !== undefined,
  };
}

/** Returns the facts without values that the person may not read, so that a search cannot find them either. */
function readableFacts(person: Person, event: RejectionFacts): RejectionFacts {
  const { duties } = person;
  const { id, type, rule, eventId, source, searched } = event;
  const isWhole = readsAllOf(undefined, duties) || (readsAllOf(type, duties) && !mayHaveRestricted(searched));
  if (isWhole) return event;
  const shown = {
    type: concealName(type, person),
    source: concealName(source, person),
    eventId: concealName(eventId, person),
    company: concealName(event.company, person),
  };
  const words = [id, ...Object.values(shown), rule].join('\n').toLowerCase();
  return { ...event, ...shown, reason: rule, searched: words };
}

function readable(person: Person, event: RejectedEvent): RejectedEvent {
  return {
    ...event,
    type: concealName(event.type, person),
    source: concealName(event.source, person),
    eventId: concealName(event.eventId, person),
    reason: readableReason(person, { ...event, text: JSON.stringify(event.event) ?? '' }),
    event: conceal(event.event, person.duties),
  };
}

function concealName(name: string | null, { duties }: Person): string | null {
  return name === null ? null : concealWords(name, duties);
}

interface Rejection {
  readonly type: unknown;
  readonly reason: string;
  /** The event as text, because the reason has only the first characters of a value. Empty if it is too large. */
  readonly text: string;
}

/** Returns the reason of a rejection, without its values if the person may not read all values of the event. */
export function readableReason({ duties }: Person, { type, reason, text }: Rejection): string {
  const isPlain = text !== '' && concealWords(text, duties) === text;
  return readsAllOf(undefined, duties) || (readsAllOf(type, duties) && isPlain) ? reason : ruleOf(reason);
}

/** Returns a discarded or corrected event with what the person may read of it. */
export function readableResolved(person: Person, event: ResolvedEvent): ResolvedEvent {
  const { type, source, eventId } = event;
  return {
    ...event,
    type: concealName(type, person),
    source: concealName(source, person),
    eventId: concealName(eventId, person),
    reason: readableReason(person, { ...event, text: event.data }),
  };
}
