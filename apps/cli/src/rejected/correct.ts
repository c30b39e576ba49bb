import { randomUUID } from 'node:crypto';
import { companyIn } from '@takt/database/rejected-events';
import { describeProblems, findPublishingProblems, ruleOf, withEventField } from '@takt/events';
import { type Company, listCompanies } from '@takt/figures/master-data';
import type { Terminal } from '../terminal.js';
import { BY, changeAll, withRejected } from './with-rejected.js';

export interface CorrectFlags {
  readonly field: string;
  readonly value: string;
  readonly reason?: string;
  readonly check?: boolean;
}

/** Gives one field of many rejected events another value, and sends those that are valid then. */
export async function correct(
  { field, value, reason = '', check = false }: CorrectFlags,
  terminal: Terminal,
): Promise<void> {
  await withRejected(terminal, async (events, note, database) => {
    const companies = await listCompanies(database);
    const rules = new Map<string, number>();
    const edit = (event: unknown): object => {
      const corrected = withEventField(event, field, value);
      const problem = findProblem(corrected, companies);
      if (corrected !== undefined && problem === undefined) return corrected;
      throw new StillInvalidError(ruleOf(problem ?? ''));
    };
    const run = randomUUID();
    const changeOne = async (id: string) => {
      try {
        if (check) {
          for (const { event } of await events.find(id)) edit(event);
        } else {
          await events.correct(id, edit, { ...BY, run });
        }
        return 1;
      } catch (error) {
        if (!(error instanceof StillInvalidError)) throw error;
        rules.set(error.message, (rules.get(error.message) ?? 0) + 1);
        return 0;
      }
    };
    const ids: string[] = [];
    for await (const page of events.list()) {
      ids.push(...page.filter((event) => event.reason.includes(reason)).map(({ id }) => id));
    }
    const corrected = await changeAll(events, [...new Set(ids)], changeOne, terminal);
    for (const [rule, count] of rules) {
      terminal.say(`takt: ${count} left alone, they would be rejected again: ${rule}`);
    }
    if (rules.size > 0) terminal.fail();
    await terminal.print(check ? `valid ${corrected}` : `corrected ${corrected}`);
    if (check) return;
    await note('rejected-corrected', corrected, { run, field, value, ...(reason !== '' && { reason }) });
    terminal.say(`takt: takt rejected undo --run ${run} takes back what no worker has taken`);
  });
}

/** Why an event would be rejected; undefined where it would not. */
function findProblem(event: unknown, companies: readonly Company[]): string | undefined {
  const problems = findPublishingProblems(event);
  if (problems.length > 0) return describeProblems(problems);
  const code = companyIn(event);
  const isTaken = companies.some((company) => company.code === code && company.disabledAt === null);
  return isTaken ? undefined : `data.database must be the code of a registered company (got "${code}")`;
}

/** Corrected like this, an event would be rejected again; the message is the rule. */
class StillInvalidError extends Error {
  override readonly name = 'StillInvalidError';
}
