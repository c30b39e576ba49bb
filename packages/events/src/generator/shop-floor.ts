import type { EventInput } from '../event-types/event-definitions.js';
import { type Factory, nameIn, type StructureVersion } from './factory.js';
import { below, pick, pickEarly, type Random } from './random.js';

export type Operation = ReturnType<ReturnType<typeof openShopFloor>>;

/** Work orders of a company that are in progress at the same time. */
const OPEN_WORK_ORDERS = 60;
/** Shares of the corrections that reopen an operation, and that move one that was booked on the wrong version. */
const [REOPEN_SHARE, MOVE_SHARE] = [0.2, 0.2];
/** Share of the completions for which somebody forgot to stop the clock, and what this does to the run time. */
const [OUTLIER_SHARE, OUTLIER_FACTOR] = [1 / 2_000, 10];
/** Share of the changeovers that take no time, because the machine made the same part before. */
const NO_CHANGEOVER_SHARE = 0.05;
const CHANGEOVER_SPREAD = 0.4;

/**
 * Returns a function that completes the next operation of one of the work orders in progress, at the given instant and
 * share of the year.
 */
export function openShopFloor(factory: Factory, firstOperationId: number, random: Random) {
  const { company, products } = factory;
  let nextOperationId = firstOperationId;
  let nextWorkOrderId = Math.max(1, firstOperationId - 500_000);
  const start = () => ({ workOrderId: nextWorkOrderId++, product: pickEarly(products, random), step: 0 });
  const workOrders = Array.from({ length: OPEN_WORK_ORDERS }, start);
  return (completedAt: string, share: number) => {
    const workOrder = pick(workOrders, random);
    const { workOrderId, product, step } = workOrder;
    Object.assign(workOrder, step + 1 < product.route.length ? { step: step + 1 } : start());
    return {
      database: company,
      factory,
      step,
      product,
      structureVersion: product.route[step] as StructureVersion,
      workOrderId,
      workOrderOperationId: nextOperationId++,
      revision: 1,
      completedAt,
      share,
    };
  };
}

export function correct(
  operation: Operation,
  reopened: Set<Operation>,
  now: string,
  random: Random,
): EventInput {
  operation.revision += 1 + below(3, random);
  const kind = random();
  if (reopened.delete(operation)) {
    operation.completedAt = now;
  } else if (kind < REOPEN_SHARE) {
    reopened.add(operation);
    const event = eventOf(operation, now);
    return { ...event, type: 'work-order-operation.reopened.v1', data: { ...event.data, reopenedAt: now } };
  } else if (kind < REOPEN_SHARE + MOVE_SHARE) {
    operation.structureVersion = pick(operation.product.route, random);
  }
  return completed(operation, now, random);
}

/** Reports the completion of an operation with times that scatter around the plan. */
export function completed(operation: Operation, now: string, random: Random): EventInput {
  const { bias, drift, spread, reportingShare, fields } = operation.structureVersion;
  const { runTime, setupTime, cleanupTime } = fields.plannedProductionTimes;
  const factor = bias * (1 + drift * operation.share) * (random() < OUTLIER_SHARE ? OUTLIER_FACTOR : 1);
  const changeover = (planned: number | null) => {
    if (planned === null || random() >= reportingShare) return undefined;
    return random() < NO_CHANGEOVER_SHARE ? 0 : hoursAround(planned, CHANGEOVER_SPREAD, random);
  };
  const event = eventOf(operation, now);
  return {
    ...event,
    type: 'work-order-operation.completed.v1',
    data: {
      ...event.data,
      ...nameIn(operation.factory, 'workOrder', operation.workOrderId, orderKey(operation)),
      ...nameIn(
        operation.factory,
        'productStructureVersion',
        fields.productStructureVersionId,
        `AR-${fields.productStructureVersionId}`,
      ),
      completedAt: operation.completedAt,
      runTime: hoursAround(runTime * factor, spread, random),
      setupTime: changeover(setupTime),
      cleanupTime: changeover(cleanupTime),
    },
  };
}

/** Returns log-normally distributed hours, in whole seconds. `spread` is the standard deviation of their logarithm. */
function hoursAround(median: number, spread: number, random: Random): number {
  // This is the method of Box and Muller. `1 - x` avoids the logarithm of 0.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const seconds = Math.max(1, Math.round(median * Math.exp(spread * normal) * 3_600));
  return Number((seconds / 3_600).toFixed(6));
}

const orderKey = ({ workOrderId }: Operation) => `FA-${workOrderId}`;

function eventOf(operation: Operation, time: string) {
  const { database, factory, workOrderOperationId, step, revision } = operation;
  const id = `work-order-operation-${workOrderOperationId}-${revision}`;
  const key = `${orderKey(operation)}/${String(10 * (step + 1)).padStart(4, '0')}`;
  const data = { database, ...nameIn(factory, 'workOrderOperation', workOrderOperationId, key), revision };
  return { specversion: '1.0', id, source: `/mes/${database}`, time, data } as const;
}
