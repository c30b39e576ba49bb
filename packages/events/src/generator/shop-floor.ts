import type { Factory, Product, StructureVersion } from './factory.js';
import { createWeightedChoice, type Random } from './random.js';

/** The newest state of an operation that has been reported. */
export interface ReportedOperation {
  readonly company: string;
  readonly product: Product;
  readonly workOrderId: number;
  readonly workOrderOperationId: number;
  revision: number;
  structureVersion: StructureVersion;
  completedAt: string;
  isReopened: boolean;
}

/**
 * The work orders in progress. Many work orders run at the same time; the operations of one work order follow one after
 * the other.
 */
interface ShopFloor {
  completeNext(completedAt: string): ReportedOperation;
}

interface WorkOrder {
  readonly id: number;
  readonly product: Product;
  completedOperations: number;
}

/** Id of the first operation unless the caller gives another id. */
export const FIRST_OPERATION_ID = 1_000_001;
/** The ids of work orders start this far below the id of the first operation. */
const WORK_ORDER_OFFSET = 500_000;
const OPEN_WORK_ORDERS = 60;
/**
 * Zipf exponent of the popularity of products. With this value a fifth of the products gets about three quarters of the
 * work orders.
 */
const POPULARITY_EXPONENT = 1.05;

export function openShopFloor(
  { company, products }: Factory,
  random: Random,
  firstOperationId: number,
): ShopFloor {
  const chooseProduct = createWeightedChoice(products, POPULARITY_EXPONENT);
  let nextWorkOrderId = Math.max(1, firstOperationId - WORK_ORDER_OFFSET);
  let nextOperationId = firstOperationId;
  const startWorkOrder = (): WorkOrder => ({
    id: nextWorkOrderId++,
    product: chooseProduct(random),
    completedOperations: 0,
  });
  const open = Array.from({ length: OPEN_WORK_ORDERS }, startWorkOrder);

  return {
    completeNext: (completedAt) => {
      const position = random.below(open.length);
      const workOrder = open[position] ?? startWorkOrder();
      const { product } = workOrder;
      const structureVersion = product.route[workOrder.completedOperations] ?? random.pick(product.route);
      workOrder.completedOperations += 1;
      if (workOrder.completedOperations >= product.route.length) open[position] = startWorkOrder();
      return {
        company,
        product,
        workOrderId: workOrder.id,
        workOrderOperationId: nextOperationId++,
        revision: 1,
        structureVersion,
        completedAt,
        isReopened: false,
      };
    },
  };
}

/**
 * The operations that may still be corrected. Only the newest operations are kept, so that the memory stays bounded.
 */
interface RecentOperations {
  add(operation: ReportedOperation): void;
  /**
   * Returns an operation to correct. In half of the calls, reopened operations are preferred, because they should soon
   * be completed again. Throws if there is no operation to correct.
   */
  pick(random: Random): ReportedOperation;
  isEmpty(): boolean;
}

const MAX_OPERATIONS = 5_000;
const REOPENED_FIRST_SHARE = 0.5;

export function createRecentOperations(): RecentOperations {
  const operations: ReportedOperation[] = [];
  let reopened: ReportedOperation[] = [];
  let oldest = 0;
  return {
    add: (operation) => {
      if (operations.length < MAX_OPERATIONS) {
        operations.push(operation);
        return;
      }
      operations[oldest] = operation;
      oldest = (oldest + 1) % MAX_OPERATIONS;
    },
    pick: (random) => {
      reopened = reopened.filter((operation) => operation.isReopened);
      const first = random.chance(REOPENED_FIRST_SHARE) ? reopened[0] : undefined;
      const operation = first ?? random.pick(operations);
      // The caller may reopen the operation, so it is put on the list of reopened operations. If the caller does not
      // reopen the operation, the next call removes it from the list.
      if (!operation.isReopened) reopened.push(operation);
      return operation;
    },
    isEmpty: () => operations.length === 0,
  };
}
