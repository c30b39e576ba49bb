import type pg from 'pg';
import { columnOf, TIMES } from '../figures.js';

const COUNT = 'NumberOfCompletedProductionWorkOrders';

/**
 * The same rows as a service of CAP keeps them: times as decimal hours, one table as its model says, and an index for
 * each field in the very form in which it orders, to be read in both directions.
 */
export async function fillCapTable(pool: pg.Pool): Promise<void> {
  const hours = TIMES.map((time) => `(${columnOf(time)} / 1000000.0)::numeric(13,6) AS ${time}`);
  await pool.query('CREATE SCHEMA cap');
  await pool.query(`
    CREATE TABLE cap.ProductionTimes_Versions AS
    SELECT product_structure_version_id AS ProductStructureVersionId, listed.status, listed.name, version, revision,
      product_id AS ProductId, product.status AS ProductStatus, product.name AS ProductName, type AS ProductType,
      description AS ProductDescription, number_of_completed_operations AS ${COUNT}, ${hours.join(', ')}
    FROM takt.product_structure_versions listed JOIN takt.products product USING (company_id, product_id)
    ORDER BY 1`);
  await pool.query('ALTER TABLE cap.ProductionTimes_Versions ADD PRIMARY KEY (ProductStructureVersionId)');
  for (const field of [...TIMES, COUNT]) {
    await pool.query(`
      CREATE INDEX ON cap.ProductionTimes_Versions
      (${field} ASC NULLS FIRST, ProductStructureVersionId ASC NULLS FIRST)`);
  }
  await pool.query('VACUUM ANALYZE cap.ProductionTimes_Versions');
}
