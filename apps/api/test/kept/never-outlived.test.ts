import { openDatabase } from '@takt/database';
import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { comparable } from '../support/http-client.js';
import {
  insertApplicationVersion,
  insertStructureVersions,
  noteChangesByHand,
} from '../support/insert-rows.js';
import { type ServedApi, type ServedBeside, serveApi } from '../support/serve-api.js';
import { type CountedAnswers, keepForTest } from './keep-for-test.js';

const LIST = '/product/structure-versions/aggregated-production-times';
const TARGETS = [
  `${LIST}?$top=3`,
  `${LIST}?$orderby=AverageRunTime%20desc&$inlinecount=allpages`,
  `${LIST}?search=shelf`,
  '/product/structure-versions/1/aggregated-production-times',
  '/product/structure-versions/1/aggregated-production-times/months',
  '/product/structure-versions/1/work-order-operations',
  '/product/structure-versions/1/aggregated-production-times/distribution?kind=setup',
  '/product/structure-versions/plan-suggestions?minOperations=1',
  '/product/products',
  '/system/applications/10001/versions/101',
  '/system/error-messages?$top=2',
  '/system/domain-values/applicable-values?object=Product&field=Status',
];
const seed = testSeed();
const WRITERS = 4;
const BATCHES = 25;

/** Returns a completion event with the columns of the operations ledger. */
function completion(
  operation: number,
  structureVersion: number,
  hours: string,
  completedAt = '2026-03-02T12:00:00Z',
) {
  return {
    ...{ work_order_operation_id: operation, revision: 1, product_structure_version_id: structureVersion },
    ...{
      work_order_id: operation,
      changed_at: completedAt,
      run_time: hours,
      setup_time: null,
      cleanup_time: '1',
    },
  };
}

const APPLY = 'SELECT FROM takt.apply_work_order_operation_events($1, $2)';
const CHANGE = 'SELECT FROM takt.apply_product_structure_version_changes($1, $2)';

function structureVersionChange(id: number, productName: string) {
  return {
    ...{
      changed_at: new Date().toISOString(),
      product_structure_version_id: id,
      status: 4,
      name: 'Structure',
    },
    ...{ version: 1, revision: 'A', product_id: id, product_status: 4, product_name: productName },
    ...{ product_type: 'K', product_description: '', run_time: '1', setup_time: '1', cleanup_time: '1' },
  };
}

describe('a cached answer whose data a transaction changes', () => {
  let api: ServedApi;
  let keeping: ServedBeside;
  let kept: CountedAnswers;
  let worker: ReturnType<typeof openDatabase>;
  let bearing: { readonly authorization: string };

  before(async () => {
    api = await serveApi();
    kept = keepForTest();
    keeping = await api.serveBeside({ answerKept: kept.answerKept });
    worker = openDatabase({
      url: api.appUrl('worker'),
      applicationName: 'takt worker test',
      maxConnections: WRITERS,
    });
    bearing = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
    await insertStructureVersions(
      api.owner,
      Array.from({ length: 8 }, (_, index) => ({ id: index + 1, planned: { run: '1', cleanup: '1' } })),
    );
    await insertApplicationVersion(api.owner, { application_version_id: 101, application_id: 10_001 });
    await apply([
      completion(1, 1, '2', '2025-01-02T00:00:00Z'),
      completion(2, 2, '3', '2025-02-02T00:00:00Z'),
    ]);
  });
  after(async () => {
    await worker.close();
    await keeping.close();
    await api.close();
  });

  const apply = (events: readonly object[]) =>
    worker.pool.query(APPLY, [events.map(() => 'TEM-NO'), JSON.stringify(events)]);
  const change = (sql: string) => api.owner.query(sql);
  const changeByHand = async (sql: string) => {
    await change(sql);
    await noteChangesByHand(api.owner);
  };

  /** Compares each answer with the answer of a server without a cache. Returns the entity tag of each address. */
  async function compareAll(tags: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    const now = new Map<string, string>();
    for (const target of TARGETS) {
      const headers = { ...bearing, 'x-request-id': 'one' };
      const known = tags.get(target);
      const asking = known === undefined ? headers : { ...headers, 'if-none-match': known };
      const [made, answer] = [await api.client.get(target, asking), await keeping.client.get(target, asking)];
      expect(comparable(answer), target).to.deep.equal(comparable(made));
      now.set(target, String(made.headers.etag));
    }
    return now;
  }

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'completed operations': () => apply([completion(3, 1, '5'), completion(4, 3, '1.5')]),
    'a corrected operation': () => apply([{ ...completion(3, 1, '4'), revision: 2 }]),
    'a reopened operation': () =>
      apply([{ work_order_operation_id: 3, revision: 3, changed_at: '2026-03-03T12:00:00Z' }]),
    'a renamed product': () =>
      worker.pool.query(CHANGE, [['TEM-NO'], JSON.stringify([structureVersionChange(1, 'Shelf')])]),
    'a new product': () =>
      worker.pool.query(CHANGE, [['TEM-NO'], JSON.stringify([structureVersionChange(20, 'Shelf of oak')])]),
    'an UPDATE of the owner': () =>
      changeByHand("UPDATE takt.product_structure_versions SET product_name = 'Table' WHERE company_id = 1"),
    'pruned operations': () => change("SELECT takt.prune_operations(1, '2025-06-01', 0)"),
    'damaged figures': () =>
      changeByHand(
        'UPDATE takt.product_structure_versions SET longest_run_time = 77 WHERE product_structure_version_id = 2',
      ),
    'rebuilt figures': () => change("SELECT takt.rebuild_production_times(1, '{1,2,3}')"),
    'an application version': () => changeByHand("UPDATE takt.application_versions SET description = 'new'"),
    'an error message': () =>
      changeByHand("UPDATE takt.error_messages SET message = 'x' WHERE error_message_id = 100000"),
    'a domain value': () =>
      changeByHand(
        "UPDATE takt.domain_values SET priority = priority + 7 WHERE object = 'Product' AND key = '4'",
      ),
    'a deleted structure version': () =>
      changeByHand('DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = 8'),
    'a structure version that moves to the other company': () =>
      changeByHand(`UPDATE takt.product_structure_versions SET company_id = 2, product_id = NULL, changed_at = NULL
        WHERE product_structure_version_id = 7`),
    'a function that answers are made by': () =>
      changeByHand(`CREATE OR REPLACE FUNCTION takt.find_structure_versions(patterns text[]) RETURNS bigint[]
        LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT '{}'::bigint[] $$;
        UPDATE takt.schema_functions SET checksum = 'other' WHERE name = 'find_structure_versions'`),
    'tables that TRUNCATE emptied': () =>
      changeByHand('TRUNCATE takt.product_structure_versions, takt.monthly_figures'),
  };

  it('stays valid after a rollback', async () => {
    await compareAll(await compareAll(new Map()));
    kept.takeOutcomes();
    const client = await api.owner.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM takt.product_structure_versions');
    await compareAll(new Map());
    await client.query('ROLLBACK');
    client.release();
    await compareAll(new Map());
    expect(new Set(kept.takeOutcomes())).to.deep.equal(new Set(['sent']));
  });

  it('is not sent after the commit of any kind of change, even to a conditional request', async () => {
    let tags = await compareAll(await compareAll(new Map()));
    for (const [name, make] of Object.entries(changes)) {
      await make();
      const after = await compareAll(tags);
      const changed = TARGETS.filter((target) => after.get(target) !== tags.get(target));
      tags = await compareAll(after);
      // Pruning operations does not change the figures, so no answer needs to change.
      if (name === 'pruned operations') continue;
      expect(changed, name).to.not.deep.equal([]);
      expect(kept.takeOutcomes(), name).to.include.members(['sent', 'changed']);
    }
  });

  it(`is not sent after the commit if ${WRITERS} writers and readers run concurrently (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    let operation = 1_000;
    let isOver = false;
    const count = async (target: string) => {
      const { text } = await keeping.client.get(target, bearing);
      return Number(/"numberOfCompletedProductionWorkOrders":(\d+)/.exec(text)?.[1] ?? 0);
    };
    const targetOf = (id: number) => `/product/structure-versions/${id}/aggregated-production-times`;
    const written = Array.from({ length: WRITERS }, (_, writer) => 100 + writer);
    const write = async (id: number) => {
      await worker.pool.query(CHANGE, [
        ['TEM-NO'],
        JSON.stringify([structureVersionChange(id, `Written ${id}`)]),
      ]);
      const target = targetOf(id);
      for (let completed = 0, batch = 0; batch < BATCHES; batch++) {
        const events = Array.from({ length: 1 + random.below(3) }, () => completion(operation++, id, '1'));
        await apply(events);
        completed += events.length;
        for (let turn = 0; turn <= random.below(3); turn++) {
          expect(await count(target), `${target} after batch ${batch}`).to.equal(completed);
        }
      }
    };
    // The readers also request the rows that are being written, so that the writers find these rows in the cache.
    const asked = [...TARGETS, ...written.flatMap((id) => Array.from({ length: 5 }, () => targetOf(id)))];
    const read = async () => {
      while (!isOver) await keeping.client.get(random.pick(asked), bearing);
    };
    const readers = [read(), read()];
    await Promise.all(written.map(write));
    isOver = true;
    await Promise.all(readers);
    expect(kept.takeOutcomes()).to.include.members(['sent', 'changed']);
    await compareAll(new Map());
  });
});
