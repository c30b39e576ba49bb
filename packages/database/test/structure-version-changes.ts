import * as schema from '@takt/catalogue/schema';
import type { Database } from '@takt/database';
import { and, asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { batchArguments } from './concurrent-writers.js';

/** An event for takt.apply_product_structure_version_changes: the code of the company, and the columns. */
export interface StructureVersionChange {
  readonly database: string;
  readonly changedAt: string;
  readonly productStructureVersionId: number;
  readonly status: number;
  readonly name: string;
  readonly version: number;
  readonly revision: string;
  readonly productId: number;
  readonly productStatus: number;
  readonly productName: string;
  readonly productType: string;
  readonly productDescription: string;
  /** Planned time in hours; null if there is no plan. */
  readonly runTime: string | null;
  readonly setupTime: string | null;
  readonly cleanupTime: string | null;
}

export interface NoEffect {
  readonly position: number;
  readonly outcome: string;
}

/**
 * Returns a valid change of structure version 1 of product 10 at minute 0. The fields of `given` replace the defaults.
 */
export function structureVersionChange(given: Partial<StructureVersionChange> = {}): StructureVersionChange {
  return {
    database: 'TEM-NO',
    changedAt: minute(0),
    productStructureVersionId: 1,
    status: 4,
    name: 'Frame, welded',
    version: 1,
    revision: 'A',
    productId: 10,
    productStatus: 4,
    productName: 'Frame',
    productType: 'K',
    productDescription: 'Frame of the conveyor',
    runTime: '1.500000',
    setupTime: null,
    cleanupTime: '0.250000',
    ...given,
  };
}

/** Returns the instant that is this many minutes after 12:00, as PostgreSQL writes it. */
export function minute(minutes: number): string {
  return `2026-03-02 12:${String(minutes).padStart(2, '0')}:00+00`;
}

export async function applyStructureVersionChanges(
  { pool }: Pick<Database, 'pool'>,
  changes: readonly StructureVersionChange[],
): Promise<readonly NoEffect[]> {
  const { rows } = await pool.query<NoEffect>(
    `SELECT position, CASE WHEN is_conflict THEN 'conflict' ELSE outcome END AS outcome
      FROM takt.apply_product_structure_version_changes($1, $2)`,
    batchArguments(changes),
  );
  return rows;
}

/** Reads the row of a structure version of TEM-NO or of another company; undefined if there is none. */
export async function findStructureVersion(
  { pool }: Database,
  productStructureVersionId: number,
  database = 'TEM-NO',
) {
  const rows = await drizzle(pool)
    .select({ row: schema.productStructureVersions })
    .from(schema.productStructureVersions)
    .innerJoin(schema.companies, eq(schema.companies.companyId, schema.productStructureVersions.companyId))
    .where(
      and(
        eq(schema.companies.code, database),
        eq(schema.productStructureVersions.productStructureVersionId, productStructureVersionId),
      ),
    );
  return rows[0]?.row;
}

/** Reads all products and structure versions, so that tests can compare them after different orders of events. */
export async function readMasterData({ pool }: Database) {
  const orm = drizzle(pool);
  const { products, productStructureVersions } = schema;
  return {
    products: await orm.select().from(products).orderBy(asc(products.companyId), asc(products.productId)),
    structureVersions: await orm
      .select()
      .from(productStructureVersions)
      .orderBy(
        asc(productStructureVersions.companyId),
        asc(productStructureVersions.productStructureVersionId),
      ),
  };
}
