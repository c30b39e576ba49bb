import {
  companyIn,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
} from '@takt/database/rejected-events';
import { maySee, type Person } from '../visit.js';

/** The rejected events that a person may see: those of their companies, or all if they have all companies. */
export interface Visibility {
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /** The events of an id if all of them may be seen; throws a NotRejectedError if there are none. */
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
