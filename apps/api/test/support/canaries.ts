import {
  insertApplicationVersion,
  insertMonths,
  insertOperations,
  insertStructureVersions,
} from './insert-rows.js';
import { COMPANY, OTHER_COMPANY, type TestApi } from './open-test-api.js';

/** A part of every text in the rows of the first company. Texts of the other company contain FOREIGN_CANARY. */
export const OWN_CANARY = 'canary-own';
export const FOREIGN_CANARY = 'canary-foreign';
/**
 * The number of operations in each month of the first company. It serves as a canary for months, because months have no
 * text.
 */
export const OWN_NUMBER = 123_456_789;
/** Every number in the rows of the other company, except identifiers that are counted from 1. */
export const FOREIGN_NUMBER = 987_654_321;

const ROWS = 30;
const MONTHS = ['2025-11', '2025-12', '2026-01'];

/**
 * Inserts rows for both companies into every table with rows of companies. The rows of both companies have the same
 * identifiers.
 */
export async function insertCanaries({ owner }: Pick<TestApi, 'owner'>): Promise<void> {
  for (const [companyId, canary, number] of [
    [COMPANY, OWN_CANARY, 4],
    [OTHER_COMPANY, FOREIGN_CANARY, FOREIGN_NUMBER],
  ] as const) {
    const completed = companyId === COMPANY ? OWN_NUMBER : number;
    await insertMonths(
      owner,
      MONTHS.map((month) => ({ structureVersionId: 1, companyId, month, completed })),
    );
    await insertStructureVersions(
      owner,
      Array.from({ length: ROWS }, (_, index) => ({
        ...{ id: index + 1, companyId, status: number, version: number, productStatus: number },
        ...{ name: canary, revision: canary, productName: `${canary} ${index}`, productType: canary },
        ...{ productDescription: canary, actual: { run: ['1.5', `${number}`] } },
        // The operations are so many and so far from the plan that the API suggests another plan.
        ...{ planned: { run: '1.000000' }, completed: 20 },
      })),
    );
    await insertOperations(
      owner,
      [1, 2, 3].map((id) => ({
        ...{ id, companyId, structureVersionId: 1, workOrderId: completed, revision: completed },
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
      ...{ created_by_user_id: 1, created_by_name: canary, created_by_first_name: canary },
      ...{ restricted_to_company_id: 1, restricted_to_database: canary },
      ...{ permission_id: 1, permission_name: canary },
    });
  }
  await owner.query('ANALYZE');
}
