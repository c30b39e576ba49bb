import { insertApplicationVersion, insertStructureVersions } from './insert-rows.js';
import { COMPANY, OTHER_COMPANY, type TestApi } from './open-test-api.js';

/** In every text of the rows of a company. */
export const OWN_CANARY = 'canary-own';
export const FOREIGN_CANARY = 'canary-foreign';
/** In every number of the rows of the other company that is not counted from 1. */
export const FOREIGN_NUMBER = 987_654_321;

const ROWS = 30;

/** Fills every table with a company: rows of both companies under the same identifiers, told apart by their texts. */
export async function insertCanaries({ owner }: TestApi): Promise<void> {
  for (const [companyId, canary, number] of [
    [COMPANY, OWN_CANARY, 4],
    [OTHER_COMPANY, FOREIGN_CANARY, FOREIGN_NUMBER],
  ] as const) {
    await insertStructureVersions(
      owner,
      Array.from({ length: ROWS }, (_, index) => ({
        ...{ id: index + 1, companyId, status: number, version: number, productStatus: number },
        ...{ name: canary, revision: canary, productName: `${canary} ${index}`, productType: canary },
        ...{ productDescription: canary, actual: { run: ['1.5', `${number}`] } },
      })),
    );
    await insertApplicationVersion(owner, {
      ...{
        company_id: companyId,
        application_version_id: 100,
        application_id: 10_000,
        name: canary,
        type: canary,
      },
      ...{ description: canary, field_order: canary, lookup_priority: number },
    });
  }
  await owner.query('ANALYZE');
}
