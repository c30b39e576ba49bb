import { createTestDatabase, needsSingleServer } from '@takt/database/testing';
import { parseEvent } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { measuredCosts, PAGES_A_ROW } from '../../src/capacity/index.js';
import { addCompany, applyReferenceData, type ReferenceDataEvent } from '../../src/master-data/index.js';
import {
  applyWorkOrderOperationEvents,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';

const COMPANY = 'TEM-NO';
const STRUCTURE_VERSIONS = 3_000;
const EVENTS = 15_000;
const BATCH = 1_000;
/**
 * The largest relative change of a size. A size that has changed more must be measured again with npm run
 * bench:capacity.
 */
const TOLERANCE = 0.15;

describe('the stored sizes for capacity planning', () => {
  before(function () {
    needsSingleServer(this);
  });
  const test = opened(createTestDatabase);

  before(async () => {
    await addCompany(test.database, COMPANY, 'Sizes');
    const masterData: ReferenceDataEvent[] = [];
    const operations: WorkOrderOperationEvent[] = [];
    const options = { events: EVENTS, structureVersions: STRUCTURE_VERSIONS, companies: [COMPANY] };
    for (const event of generateEvents(options)) {
      const parsed = parseEvent(event);
      if (!parsed.ok) throw new Error('the generator made an event that breaks the contract');
      if (parsed.event.type.startsWith('work-order-operation.')) {
        operations.push(parsed.event as WorkOrderOperationEvent);
      } else {
        masterData.push(parsed.event as ReferenceDataEvent);
      }
    }
    const { pool } = test.database;
    await applyReferenceData(pool, masterData);
    for (let start = 0; start < operations.length; start += BATCH) {
      await applyWorkOrderOperationEvents(pool, operations.slice(start, start + BATCH));
    }
    await pool.query(
      `VACUUM FULL takt.product_structure_versions, takt.products, takt.structure_version_texts, takt.monthly_figures,
        takt.work_order_operations`,
    );
  });

  it('match the size of an operation in the ledger', async () => {
    await expectSize('operationBytes', ['work_order_operations']);
  });

  it('match the size of a structure version with its product, its search text and its months', async () => {
    await expectSize('structureVersionBytes', [
      'product_structure_versions',
      'products',
      'structure_version_texts',
      'monthly_figures',
    ]);
  });

  it('count one page for each changed row of figures and for each of its index entries, but for those of keys', async () => {
    const { rows } = await test.database.pool.query<{ pages: number }>(
      `SELECT 1 + count(*)::integer AS pages FROM pg_index
       WHERE indrelid = 'takt.product_structure_versions'::regclass
         AND coalesce(pg_get_expr(indpred, indrelid), '') !~ '^.changed_at IS NULL|_key IS NOT NULL'`,
    );
    expect(rows[0]?.pages).to.equal(PAGES_A_ROW);
  });

  async function expectSize(cost: 'operationBytes' | 'structureVersionBytes', tables: readonly string[]) {
    const sizes = tables.map((table) => `pg_total_relation_size('takt.${table}')`).join(' + ');
    const { rows } = await test.database.pool.query<{ bytes: number }>(
      `SELECT (${sizes})::float8 / (SELECT count(*) FROM takt.${tables[0]}) AS bytes`,
    );
    const bytes = rows[0]?.bytes ?? Number.NaN;
    expect(bytes, cost).to.be.within(
      measuredCosts[cost] * (1 - TOLERANCE),
      measuredCosts[cost] * (1 + TOLERANCE),
    );
  }
});
