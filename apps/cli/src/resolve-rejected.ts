import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { noteOwnerEntry, type OperatorEntry } from '@takt/access/administration';
import type { Database } from '@takt/database';
import { describeProblems, prepareEvent } from '@takt/events';
import { ruleOf } from '@takt/events/internal';
import { listCompanies } from '@takt/figures/master-data';
import {
  correctField,
  eventOf,
  findCorrectionProblems,
  listRejectionIds,
  type Rejection,
  type Resolution,
  type ResolutionOutcome,
  resolveRejections,
  undoResolution,
} from '@takt/rejections';
import { withContext } from './context.js';
import { CommandError, UsageError } from './errors.js';
import { withProgress } from './progress.js';
import type { Terminal } from './terminal.js';
import { userName } from './user-name.js';

export const goneText = (id: number) =>
  `${id} is not rejected, or no longer: takt rejected list shows the rejected events`;

/** The name of the user, which is stored with events that are discarded or corrected on the command line. */
const BY = { by: `${userName()} at the command line` };
/** Maximum number of event ids in one entry of the audit log. */
const NOTED_IDS = 100;

interface Change {
  readonly entry: Pick<OperatorEntry, 'action' | 'details'>;
  readonly run?: string;
  /** Decides about each event. For a check, it decides nothing. */
  readonly decide: (rejection: Rejection) => Resolution | undefined;
}

type Resolve = (ids: readonly number[], change: Change) => Promise<number>;

/** Runs work that resolves rejected events in batches, with entries in the audit log at its start and end. */
function withResolving(
  terminal: Terminal,
  work: (resolve: Resolve, pool: Database['pool']) => Promise<void>,
): Promise<void> {
  return withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const queues = await context.openQueues();
    const resolve: Resolve = (ids, { entry, run, decide }) =>
      noted(pool, entry, ids.length, () =>
        inBatches(ids, terminal, (some) =>
          resolveRejections({ pool, queues }, some, decide, { ...BY, ...(run !== undefined && { run }) }),
        ),
      );
    await work(resolve, pool);
  });
}

async function noted(
  pool: Parameters<typeof noteOwnerEntry>[0],
  { action, details }: Change['entry'],
  count: number,
  change: () => Promise<number>,
): Promise<number> {
  const note = (subjects: number, state: 'begun' | 'ended') =>
    noteOwnerEntry(pool, {
      action,
      subject: `${subjects} rejected events`,
      details: { ...details, state },
    });
  await note(count, 'begun');
  const changed = await change();
  await note(changed, 'ended');
  return changed;
}

const BATCH = 200;

/** Changes events in batches. An event that cannot be changed is printed and does not stop the others. */
async function inBatches(
  ids: readonly number[],
  terminal: Terminal,
  change: (some: readonly number[]) => Promise<readonly ResolutionOutcome[]>,
): Promise<number> {
  let changed = 0;
  await withProgress(terminal, 'rejected events changed:', ids.length, async (progress) => {
    for (let start = 0; start < ids.length; start += BATCH) {
      for (const outcome of await change(ids.slice(start, start + BATCH))) {
        if (outcome.kind === 'done') changed += 1;
        if (outcome.kind !== 'gone') continue;
        progress.say(`takt: ${goneText(outcome.id)}`);
        terminal.fail();
      }
      progress.update(changed);
    }
  });
  return changed;
}

export async function discard(ids: readonly number[], terminal: Terminal): Promise<void> {
  await withResolving(terminal, async (resolve) => {
    const entry = { action: 'rejected-discarded', details: { ids: ids.slice(0, NOTED_IDS) } } as const;
    await terminal.print(`discarded ${await resolve(ids, { entry, decide: () => 'discard' })}`);
  });
}

export interface RetryFlags {
  readonly all?: boolean;
  readonly data?: string;
}

/** Returns rejected events to their queues. With a corrected event, sends that event instead of the rejected event. */
export async function retry(
  ids: readonly number[],
  { all = false, data }: RetryFlags,
  terminal: Terminal,
): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  if (data !== undefined && ids.length !== 1) {
    throw new UsageError('--data holds one event: name the one id that it replaces');
  }
  const corrected = data === undefined ? undefined : await readEvent(data, terminal);
  await withResolving(terminal, async (resolve, pool) => {
    const chosen = all ? await listRejectionIds(pool) : ids;
    const entry = {
      action: corrected === undefined ? 'rejected-retried' : 'rejected-corrected',
      details: all ? { all } : { ids: ids.slice(0, NOTED_IDS) },
    } as const;
    const decide = (): Resolution => (corrected === undefined ? 'retry' : { corrected });
    await terminal.print(`retried ${await resolve(chosen, { entry, decide })}`);
    terminal.say(
      'takt: takt drain waits until the events are processed; an event that still breaks a rule is rejected again',
    );
  });
}

/** Reads the event in a file. If the event has problems, throws a CommandError that names them. */
async function readEvent(name: string, terminal: Terminal): Promise<object> {
  const content = await (name === '-' ? text(terminal.input) : readFile(name, 'utf8')).catch(
    (error: unknown) => {
      throw new CommandError(`${name} cannot be read`, { cause: error });
    },
  );
  let event: unknown;
  try {
    event = JSON.parse(content);
  } catch (error) {
    throw new CommandError(`${name} is not JSON, so nothing was retried`, { cause: error });
  }
  const result = prepareEvent(event);
  if (result.ok && typeof event === 'object' && event !== null) return event;
  const problems = result.ok ? [] : result.problems;
  throw new CommandError(
    `${name} contains no valid event, so nothing was retried: ${describeProblems(problems)}`,
  );
}

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
  await withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const { pool } = database;
    const active = (await listCompanies(database)).filter(({ disabledAt }) => disabledAt === null);
    const registered = new Set(active.map(({ code }) => code));
    const edit = ({ data }: Rejection) =>
      correctField(eventOf(data), { field, value }, (corrected) =>
        findCorrectionProblems(corrected, registered),
      );
    const run = randomUUID();
    const decide = (rejection: Rejection): Resolution => {
      const corrected = edit(rejection);
      return check ? 'check' : { corrected };
    };
    const rules = new Map<string, number>();
    const queues = await context.openQueues();
    const ids = await listRejectionIds(pool, { filter: { inReason: reason } });
    const correctAll = () =>
      inBatches(ids, terminal, async (some) => {
        const outcomes = await resolveRejections({ pool, queues }, some, decide, { ...BY, run });
        for (const outcome of outcomes) {
          if (outcome.kind !== 'refused') continue;
          const rule = ruleOf(outcome.error.message);
          rules.set(rule, (rules.get(rule) ?? 0) + 1);
        }
        return outcomes;
      });
    const details = { run, field, value, ...(reason !== '' && { reason }) };
    if (!check) {
      terminal.say(`takt: takt rejected undo --run ${run} undoes the corrections that no worker has taken`);
    }
    const corrected = check
      ? await correctAll()
      : await noted(pool, { action: 'rejected-corrected', details }, ids.length, correctAll);
    for (const [rule, count] of rules) {
      terminal.say(`takt: ${count} left alone, because they would be rejected again: ${rule}`);
    }
    if (rules.size > 0) terminal.fail();
    await terminal.print(check ? `valid ${corrected}` : `corrected ${corrected}`);
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
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const queues = await context.openQueues();
    const chosen =
      run === undefined ? ids : await listRejectionIds(pool, { state: 'resolved', filter: { run } });
    const details = run === undefined ? { ids: ids.slice(0, NOTED_IDS) } : { of: run };
    const restored = await noted(pool, { action: 'rejected-restored', details }, chosen.length, async () => {
      let count = 0;
      for (const id of chosen) {
        const outcome = await undoResolution({ pool, queues }, id);
        if (outcome === 'restored') {
          count += 1;
          continue;
        }
        terminal.fail();
        terminal.say(
          outcome === 'taken'
            ? `takt: a worker has taken the correction of ${id}, so it stays`
            : `takt: there is nothing to undo under ${id}: takt rejected resolved shows the events that can be undone`,
        );
      }
      return count;
    });
    await terminal.print(`restored ${restored}`);
  });
}
