import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
  type ResolvedEvent,
} from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { conceal, concealWords, readsAllOf } from '../concealed.js';
import type { IdsOf } from '../sealed-ids.js';
import { maySee, type Person } from '../visit.js';

export interface VisibleRejections {
  readonly id: string;
  /** The events with the id, with what the person may read of them. */
  readonly events: readonly RejectedEvent[];
}

/**
 * Knows which rejected events a person may see: the events of the person's companies, or all events if the person has
 * all companies.
 */
export interface Visibility {
  /** Returns the events that the person may see, with what the person may read of them. Their ids are not for pages. */
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /**
   * Finds the events with an id, as a link or form of the person has it, if the person may see all of them. Throws a
   * NotRejectedError if there are none.
   */
  find(person: Person, shownId: string): Promise<VisibleRejections | undefined>;
  maySeeAll(person: Person, id: string): Promise<boolean>;
  /** Returns a discarded or corrected event with what the person may read of it. */
  ofResolved(person: Person, event: ResolvedEvent): Promise<ResolvedEvent>;
}

export function openVisibility(rejected: RejectedEvents, idsOf: IdsOf): Visibility {
  const find = async (person: Person, id: string) => {
    const events = await rejected.find(id);
    return events.every(({ event }) => maySee(person, companyIn(event))) ? events : undefined;
  };
  return {
    ofFacts: (person, events) =>
      events.filter(({ company }) => maySee(person, company)).map((event) => listed(person, event)),
    find: async (person, shownId) => {
      const id = (await idsOf(person)).meant(shownId);
      const events = id === undefined ? undefined : await find(person, id);
      if (id === undefined || events === undefined) return undefined;
      return { id, events: events.map((event) => readable(person, event, shownId)) };
    },
    maySeeAll: async (person, id) => (await find(person, id)) !== undefined,
    ofResolved: async (person, event) => ({
      ...event,
      ...namesIn(person, event),
      id: (await idsOf(person)).shown(event.id),
      reason: readableReason(person, { ...event, text: event.data }),
    }),
  };
}

/** Returns true if nothing of an event is hidden from the person. An event without its text counts as one with hidden values. */
function readsWhole({ duties }: Person, type: unknown, text: string | undefined): boolean {
  if (readsAllOf(undefined, duties)) return true;
  return readsAllOf(type, duties) && text !== undefined && text !== '' && concealWords(text, duties) === text;
}

/** Returns the facts without values that the person may not read, so that a search cannot find them either. */
function listed(person: Person, event: RejectionFacts): RejectionFacts {
  const { id, type, rule, searched } = event;
  if (readsAllOf(undefined, person.duties)) return event;
  const isWhole = !event.isCut && readsWhole(person, type, searched);
  const names = { ...namesIn(person, event), company: concealName(event.company, person) };
  const words = isWhole
    ? searched.slice(id.length)
    : [...Object.values(names), rule].join('\n').toLowerCase();
  return isWhole ? { ...event, searched: words } : { ...event, ...names, reason: rule, searched: words };
}

function readable(person: Person, event: RejectedEvent, id: string): RejectedEvent {
  return {
    ...event,
    ...namesIn(person, event),
    id,
    reason: readableReason(person, { ...event, text: JSON.stringify(event.event) ?? '' }),
    event: conceal(event.event, person.duties),
  };
}

type Names = Pick<RejectionFacts, 'type' | 'source' | 'eventId'>;

function namesIn(person: Person, { type, source, eventId }: Names): Names {
  return {
    type: concealName(type, person),
    source: concealName(source, person),
    eventId: concealName(eventId, person),
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
export function readableReason(person: Person, { type, reason, text }: Rejection): string {
  return readsWhole(person, type, text) ? reason : ruleOf(reason);
}
