import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
} from '@takt/database/rejected-events';
import { maySee, type Person } from '../visit.js';

/**
 * Knows which rejected events a person may see: the events of the person's companies, or all events if the person has
 * all companies.
 */
export interface Visibility {
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /** Returns the events with an id if the person may see all of them. Throws a NotRejectedError if there are none. */
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
      person.hasAllCompanies ? events : events.filter(({ company }) => maySee(person, company)),
    find,
    maySeeAll: async (person, id) => (await find(person, id)) !== undefined,
  };
}
