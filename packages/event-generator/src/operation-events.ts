import type { Factory } from './factory.js';
import type { GeneratedEvent } from './generated-event.js';
import { instantAt } from './production-year.js';
import type { Random } from './random.js';
import { createRecentOperations } from './recent-operations.js';
import { reportTimes } from './reported-times.js';
import { createShareSelector } from './share-selector.js';
import { openShopFloor, type ReportedOperation } from './shop-floor.js';
import { createWeightedChoice } from './weighted-choice.js';

export interface OperationEventOptions {
  readonly factories: readonly Factory[];
  readonly events: number;
  /** Share of the events that change an operation that was reported before. */
  readonly corrections: number;
  readonly random: Random;
}

/** Of the corrections: operations that were booked on the wrong structure version, and those that were reopened. */
const MOVE_SHARE = 0.2;
const REOPEN_SHARE = 0.2;
const MAX_REVISION_STEP = 3;

/** What the shop floors report through the year, in the order of time. */
export function* operationEvents({
  factories,
  events,
  corrections,
  random,
}: OperationEventOptions): Generator<GeneratedEvent> {
  const floors = factories.map((factory) => openShopFloor(factory, random));
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
  /** Of the year, 0 to 1. */
  readonly part: number;
  readonly random: Random;
}

function correct(operation: ReportedOperation, moment: Moment): GeneratedEvent {
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

function completed(operation: ReportedOperation, { now, part, random }: Moment): GeneratedEvent {
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

function reopened(operation: ReportedOperation, reopenedAt: string): GeneratedEvent {
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
