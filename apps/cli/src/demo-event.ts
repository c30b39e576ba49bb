import type { Database } from '@takt/database';

export interface DemoProduct {
  readonly companyCode: string;
  readonly structureVersionId: number;
  readonly productName: string;
}

/**
 * Finds the first structure version of the company that has a product and completed operations. Returns undefined if
 * there is none.
 */
export async function findDemoProduct(
  { pool }: Database,
  companyCode: string,
): Promise<DemoProduct | undefined> {
  const { rows } = await pool.query<{ id: string; productName: string }>(
    `SELECT product_structure_version_id AS id, product_name AS "productName"
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND changed_at IS NOT NULL AND product_name <> '' AND number_of_completed_operations > 0
     ORDER BY product_structure_version_id LIMIT 1`,
    [companyCode],
  );
  return rows.map(({ id, productName }) => ({ companyCode, structureVersionId: Number(id), productName }))[0];
}

/** Returns the address of the product's figures. The caller adds a token to the address. */
export function figuresUrlOf(apiUrl: string, { companyCode, structureVersionId }: DemoProduct): string {
  const path = `/product/structure-versions/${structureVersionId}/aggregated-production-times`;
  return `${new URL(path, apiUrl).href}?$format=html&$db=${companyCode}`;
}

/**
 * Returns a shell command (POSIX) that publishes the completion of an operation of `product`. The number of the
 * operation is the current second, so each run completes another operation and changes the figures. The command reads
 * the token from the file `tokenPath`.
 */
export function publishingLine(intakeUrl: string, product: DemoProduct, tokenPath: string): string {
  const second = "'$(date +%s)'";
  const now = "'$(date -u +%FT%TZ)'";
  const event = JSON.stringify({
    specversion: '1.0',
    id: `curl-${second}`,
    source: '/curl',
    type: 'work-order-operation.completed.v1',
    time: now,
    data: {
      database: product.companyCode,
      workOrderOperationId: PLACE_OF_NUMBER,
      revision: 1,
      productStructureVersionId: product.structureVersionId,
      completedAt: now,
      runTime: '1.5',
    },
  }).replace(`"${PLACE_OF_NUMBER}"`, second);
  return [
    `curl -H "Authorization: Bearer $(cat ${quoted(tokenPath)})"`,
    `-H 'Content-Type: application/cloudevents+json'`,
    quoted(new URL('/events', intakeUrl).href),
    `-d '${event}'`,
  ].join(' ');
}

const PLACE_OF_NUMBER = 'number';

export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
