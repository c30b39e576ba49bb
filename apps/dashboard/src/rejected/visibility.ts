import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
} from '@takt/database/rejected-events';
import { maySee, type Person } from '../visit.js';

/**
 * Decides which rejected events a person may see: those of the person's companies, or all events if the person has all
 * companies.
 */
export interface Visibility {
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /**
   * Returns the events with an id; undefined if the person may not see all of them. Throws a NotRejectedError if no
   * event has this id.
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
      person.hasAllCompanies ? events : events.filter(({ company }) => maySee(person, company)),
    find,
    maySeeAll: async (person, id) => (await find(person, id)) !== undefined,
  };
}
