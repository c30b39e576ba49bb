import { randomUUID } from 'node:crypto';
import { correctField, findCorrectionProblems, RefusedCorrectionError } from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { listCompanies } from '@takt/figures/master-data';
import type { Terminal } from '../terminal.js';
import { BY, changeAll, withRejected } from './with-rejected.js';

export interface CorrectFlags {
  readonly field: string;
  readonly value: string;
  readonly reason?: string;
  readonly check?: boolean;
}

/** Sets one field in many rejected events, and sends the results that are valid. */
export async function correct(
  { field, value, reason = '', check = false }: CorrectFlags,
  terminal: Terminal,
): Promise<void> {
  await withRejected(terminal, async (events, noted, database) => {
    const active = (await listCompanies(database)).filter(({ disabledAt }) => disabledAt === null);
    const registered = new Set(active.map(({ code }) => code));
    const rules = new Map<string, number>();
    const edit = (event: unknown) =>
      correctField(event, { field, value }, (corrected) => findCorrectionProblems(corrected, registered));
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
        if (!(error instanceof RefusedCorrectionError)) throw error;
        const rule = ruleOf(error.message);
        rules.set(rule, (rules.get(rule) ?? 0) + 1);
        return 0;
      }
    };
    const ids: string[] = [];
    for await (const page of events.list()) {
      ids.push(...page.filter((event) => event.reason.includes(reason)).map(({ id }) => id));
    }
    const chosen = [...new Set(ids)];
    const correctAll = () => changeAll(events, chosen, changeOne, terminal);
    const details = { run, field, value, ...(reason !== '' && { reason }) };
    if (!check) {
      terminal.say(`takt: takt rejected undo --run ${run} undoes the corrections that no worker has taken`);
    }
    const corrected = check
      ? await correctAll()
      : await noted({ action: 'rejected-corrected', details }, chosen.length, correctAll);
    for (const [rule, count] of rules) {
      terminal.say(`takt: ${count} left alone, because they would be rejected again: ${rule}`);
    }
    if (rules.size > 0) terminal.fail();
    await terminal.print(check ? `valid ${corrected}` : `corrected ${corrected}`);
  });
}
