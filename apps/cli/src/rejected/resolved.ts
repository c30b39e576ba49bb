import { RESOLVED_DAYS, type RejectedEvents, type ResolvedEvent } from '@takt/database/rejected-events';
import { UsageError } from '../errors.js';
import { printList } from '../print-list.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';
import { changeAll, NOTED_IDS, withRejected } from './with-rejected.js';

export interface ResolvedFlags {
  readonly top: number;
  readonly before?: number;
  readonly run?: string;
  readonly json?: boolean;
}

const RESOLVED_COLUMNS: readonly Column<ResolvedEvent>[] = [
  { title: 'ID', value: ({ resolvedId }) => String(resolvedId), isNumber: true },
  { title: 'AT', value: ({ resolvedAt }) => resolvedAt.toISOString() },
  { title: 'STATE', value: ({ resolution }) => resolution },
  { title: 'BY', value: ({ by }) => by },
  { title: 'RUN', value: ({ run }) => run ?? '-' },
  { title: 'REJECTED EVENT', value: ({ id }) => id },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** Lists discarded and corrected events. */
export async function listResolved(
  { top, before, run, json }: ResolvedFlags,
  terminal: Terminal,
): Promise<void> {
  await withRejected(terminal, async (events) => {
    const resolved = await events.listResolved({
      limit: top,
      ...(before !== undefined && { beforeId: before }),
      ...(run !== undefined && { run }),
    });
    const whenEmpty = `takt: nothing was discarded or corrected in the last ${RESOLVED_DAYS} days`;
    await printList(resolved, { columns: RESOLVED_COLUMNS, asJson: json === true, whenEmpty }, terminal);
  });
}

/** Makes resolved events rejected again: either the events with these ids, or all events of a run. */
export async function undo(
  ids: readonly number[],
  run: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if ((run === undefined) === (ids.length === 0)) {
    throw new UsageError('name the events to undo, or a run with --run');
  }
  await withRejected(terminal, async (events, noted) => {
    const chosen = run === undefined ? ids : await findRun(events, run);
    const undoOne = async (id: string) => {
      const outcome = await events.undo(Number(id));
      if (outcome === 'restored') return 1;
      terminal.fail();
      terminal.say(
        outcome === 'taken'
          ? `takt: a worker has taken the correction of ${id}, so it stays`
          : `takt: there is nothing to undo under ${id}: takt rejected resolved shows the events that can be undone`,
      );
      return 0;
    };
    const restored = await noted(
      {
        action: 'rejected-restored',
        details: run === undefined ? { ids: ids.slice(0, NOTED_IDS) } : { of: run },
      },
      chosen.length,
      () => changeAll(events, chosen.map(String), undoOne, terminal),
    );
    await terminal.print(`restored ${restored}`);
  });
}

async function findRun(events: RejectedEvents, run: string): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const page of events.listRun(run)) ids.push(...page.map(({ resolvedId }) => resolvedId));
  return ids;
}
