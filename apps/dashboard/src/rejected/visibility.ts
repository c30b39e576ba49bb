import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
} from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { conceal, mayHaveRestricted, readsAllOf } from '../concealed.js';
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
function readableFacts({ duties }: Person, event: RejectionFacts): RejectionFacts {
  const { id, type, rule, eventId, source, searched } = event;
  const isWhole = readsAllOf(undefined, duties) || (readsAllOf(type, duties) && !mayHaveRestricted(searched));
  if (isWhole) return event;
  return { ...event, reason: rule, searched: [id, eventId, source, type, rule].join('\n').toLowerCase() };
}

function readable(person: Person, event: RejectedEvent): RejectedEvent {
  return {
    ...event,
    reason: readableReason(person, event.type, event.reason),
    event: conceal(event.event, person.duties),
  };
}

/** Returns the reason of a rejection, without its values if the person may not read all values of the event. */
export function readableReason({ duties }: Person, type: unknown, reason: string): string {
  return readsAllOf(type, duties) ? reason : ruleOf(reason);
}
