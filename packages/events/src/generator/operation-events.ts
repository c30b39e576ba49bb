import type { EventInput } from '../event-types/event-definitions.js';
import type { Factory, StructureVersion } from './factory.js';
import { instantAt } from './generated-year.js';
import { createShareSelector, createWeightedChoice, type Random } from './random.js';
import { createRecentOperations, openShopFloor, type ReportedOperation } from './shop-floor.js';

interface OperationEventOptions {
  readonly factories: readonly Factory[];
  readonly events: number;
  /** Id of the first operation in each company. */
  readonly firstOperationId: number;
  /** Share of the events that change an earlier operation. */
  readonly corrections: number;
  readonly random: Random;
}

/**
 * Shares of the corrections that move an operation which was booked on the wrong structure version, and that reopen an
 * operation.
 */
const MOVE_SHARE = 0.2;
const REOPEN_SHARE = 0.2;
const MAX_REVISION_STEP = 3;

/** Generates operation events through the year, in chronological order. */
export function* operationEvents({
  factories,
  events,
  firstOperationId,
  corrections,
  random,
}: OperationEventOptions): Generator<EventInput> {
  const floors = factories.map((factory) => openShopFloor(factory, random, firstOperationId));
  const chooseFloor = createWeightedChoice(floors, 1);
  const isCorrection = createShareSelector(events, corrections, random);
  const recent = createRecentOperations();
  for (let number = 0; number < events; number++) {
    const part = (number + random.uniform()) / events;
    const now = instantAt(part);
    if (isCorrection(!recent.isEmpty())) {
      yield correct(recent.pick(random), { now, part, random });
    } else {
      const operation = chooseFloor(random).completeNext(now);
      recent.add(operation);
      yield completed(operation, { now, part, random });
    }
  }
}

interface Moment {
  readonly now: string;
  /** Part of the year that has passed, from 0 to 1. */
  readonly part: number;
  readonly random: Random;
}

function correct(operation: ReportedOperation, moment: Moment): EventInput {
  const { now, random } = moment;
  operation.revision += 1 + random.below(MAX_REVISION_STEP);
  const kind = random.uniform();
  if (operation.isReopened) {
    operation.isReopened = false;
    operation.completedAt = now;
  } else if (kind < REOPEN_SHARE) {
    operation.isReopened = true;
    return reopened(operation, now);
  } else if (kind < REOPEN_SHARE + MOVE_SHARE) {
    operation.structureVersion = random.pick(operation.product.route);
  }
  return completed(operation, moment);
}

function completed(operation: ReportedOperation, { now, part, random }: Moment): EventInput {
  return {
    ...envelope(operation, now),
    type: 'work-order-operation.completed.v1',
    data: {
      ...identity(operation),
      workOrderId: operation.workOrderId,
      productStructureVersionId: operation.structureVersion.id,
      completedAt: operation.completedAt,
      ...reportTimes(operation.structureVersion, part, random),
    },
  };
}

function reopened(operation: ReportedOperation, reopenedAt: string): EventInput {
  return {
    ...envelope(operation, reopenedAt),
    type: 'work-order-operation.reopened.v1',
    data: { ...identity(operation), reopenedAt },
  };
}

function envelope({ company, workOrderOperationId, revision }: ReportedOperation, time: string) {
  const id = `work-order-operation-${workOrderOperationId}-${revision}`;
  return { specversion: '1.0', id, source: `/mes/${company}`, time } as const;
}

function identity({ company, workOrderOperationId, revision }: ReportedOperation) {
  return { database: company, workOrderOperationId, revision };
}

/** Reported times in hours. Times that were not reported are absent. */
interface ReportedTimes {
  readonly runTime: number;
  readonly setupTime?: number;
  readonly cleanupTime?: number;
}

const SECONDS_PER_HOUR = 3_600;
const CHANGEOVER_SPREAD = 0.4;
/**
 * Share of the operations without a changeover, because the machine made the same part before. Their reported
 * changeover time is 0.
 */
const NO_CHANGEOVER_SHARE = 0.05;

/**
 * Draws the reported times, in whole seconds. Run times are log-normal. Their median is the planned time multiplied by
 * the bias of the structure version, which has drifted up to the given `part` (0 to 1) of the year.
 */
function reportTimes({ plan, behaviour }: StructureVersion, part: number, random: Random): ReportedTimes {
  const level = behaviour.bias * (1 + behaviour.drift * part);
  const changeover = (planned: number | null) => {
    if (planned === null || !random.chance(behaviour.reportingShare)) return undefined;
    return random.chance(NO_CHANGEOVER_SHARE) ? 0 : logNormal(planned, CHANGEOVER_SPREAD, random);
  };
  const runTime = logNormal(plan.runTime * level, behaviour.spread, random);
  const setupTime = changeover(plan.setupTime);
  const cleanupTime = changeover(plan.cleanupTime);
  return {
    runTime,
    ...(setupTime !== undefined && { setupTime }),
    ...(cleanupTime !== undefined && { cleanupTime }),
  };
}

function logNormal(medianHours: number, spread: number, random: Random): number {
  const seconds = Math.max(
    1,
    Math.round(medianHours * Math.exp(spread * random.normal()) * SECONDS_PER_HOUR),
  );
  return Math.round((seconds / SECONDS_PER_HOUR) * 1e6) / 1e6;
}
