import { createRandom, type Random } from './random.js';
import {
  OPERATIONS,
  type OperationKind,
  PRODUCT_STATUSES,
  PRODUCT_TYPES,
  PRODUCTS,
  SIZES,
  STRUCTURE_VERSION_STATUSES,
} from './vocabulary.js';

/** Planned times in hours. A time is null if nothing is planned for it. */
export interface Plan {
  readonly runTime: number;
  readonly setupTime: number | null;
  readonly cleanupTime: number | null;
}

/** Describes how the actual times of a structure version differ from the planned times. */
interface Behaviour {
  /** Ratio of the actual to the planned run time at the start of the year. */
  readonly bias: number;
  /** Change of the bias from the start to the end of the year: people learn, and tools wear. */
  readonly drift: number;
  /** Standard deviation of the logarithm of the run time. */
  readonly spread: number;
  /** Share of the operations for which setup and cleanup times are reported. */
  readonly reportingShare: number;
}

export interface StructureVersion {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly version: number;
  readonly revision: string;
  readonly plan: Plan;
  readonly behaviour: Behaviour;
}

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly type: string;
  /** The structure versions of the product's operations, in order. */
  readonly route: readonly StructureVersion[];
}

/** The factory of one company. Ids start at the same number in each company, as they would in separate databases. */
export interface Factory {
  readonly company: string;
  readonly products: readonly Product[];
}

const FIRST_PRODUCT_ID = 10_001;
const FIRST_STRUCTURE_VERSION_ID = 100_001;
const [MIN_ROUTE, MAX_ROUTE] = [2, 7];
const REVISIONS = ['A', 'B', 'C', 'D'] as const;

/**
 * Generates a factory with the given number of structure versions. The same seed and stream always give the same
 * factory.
 */
export function inventFactory(
  company: string,
  structureVersions: number,
  seed: number,
  stream: number,
): Factory {
  const random = createRandom(seed, stream);
  const products: Product[] = [];
  for (let made = 0; made < structureVersions; ) {
    const product = inventProduct(random, {
      number: products.length,
      firstStructureVersionId: FIRST_STRUCTURE_VERSION_ID + made,
      maxRoute: structureVersions - made,
    });
    products.push(product);
    made += product.route.length;
  }
  return { company, products };
}

function inventProduct(
  random: Random,
  given: { readonly number: number; readonly firstStructureVersionId: number; readonly maxRoute: number },
): Product {
  const name = productName(given.number);
  const length = Math.min(given.maxRoute, MIN_ROUTE + random.below(MAX_ROUTE - MIN_ROUTE + 1));
  const size = 0.5 + 2 * random.uniform();
  return {
    id: FIRST_PRODUCT_ID + given.number,
    name,
    status: usually(random, 0.85, PRODUCT_STATUSES),
    type: usually(random, 0.6, PRODUCT_TYPES),
    route: chooseOperations(random, length).map((operation, index) => ({
      id: given.firstStructureVersionId + index,
      name: `${name} - ${operation.name}`,
      status: usually(random, 0.9, STRUCTURE_VERSION_STATUSES),
      version: 1 + random.below(4),
      revision: random.pick(REVISIONS),
      plan: planFor(random, operation, size),
      behaviour: {
        bias: 0.85 + 0.4 * random.uniform(),
        drift: -0.15 + 0.35 * random.uniform(),
        spread: 0.1 + 0.35 * random.uniform(),
        reportingShare: random.chance(0.8) ? 0.95 : 0.3,
      },
    })),
  };
}

/**
 * Returns a different product name for each number. Once all sizes of all products are used, the names continue with
 * the next series.
 */
function productName(number: number): string {
  const product = PRODUCTS[number % PRODUCTS.length] ?? '';
  const sizeNumber = Math.floor(number / PRODUCTS.length);
  const series = Math.floor(sizeNumber / SIZES.length);
  const name = `${product} ${SIZES[sizeNumber % SIZES.length] ?? ''}`;
  return series === 0 ? name : `${name} Series ${series + 1}`;
}

function chooseOperations(random: Random, count: number): readonly OperationKind[] {
  let wanted = count;
  return OPERATIONS.filter((_, index) => {
    const isChosen = random.uniform() * (OPERATIONS.length - index) < wanted;
    if (isChosen) wanted -= 1;
    return isChosen;
  });
}

function planFor(random: Random, operation: OperationKind, size: number): Plan {
  const hours = (usual: number) => Math.max(0.05, Math.round(usual * size * 20) / 20);
  return {
    runTime: hours(operation.runTimeHours),
    setupTime: operation.setupTimeHours === 0 && random.chance(0.5) ? null : hours(operation.setupTimeHours),
    cleanupTime: operation.cleanupTimeHours === 0 ? null : hours(operation.cleanupTimeHours),
  };
}

function usually<Item>(random: Random, share: number, [usual, ...others]: readonly [Item, ...Item[]]): Item {
  return random.chance(share) ? usual : random.pick(others);
}
