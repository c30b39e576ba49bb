import type { Database } from '@takt/database';
import type { Plan } from '../../src/plan/plan.js';
import { withCompany } from '../../src/sql/run-statement.js';
import { statementShapeOf } from '../../src/sql/statement-cache.js';
import type { TestApi } from './open-test-api.js';

/** A step of a query plan of PostgreSQL, with only the properties that tests use. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Plan Rows': number;
  /** The average number of rows of one loop. Present if the statement was run. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the query plan of a statement with these values. Without values, returns the generic plan. */
export async function explainStatement(
  pool: Pick<Database['pool'], 'query'>,
  text: string,
  values?: readonly unknown[],
): Promise<PlanNode> {
  const option = values === undefined ? 'GENERIC_PLAN' : 'COSTS';
  const { rows } = await pool.query({
    text: `EXPLAIN (${option}, FORMAT JSON) ${text}`,
    values: [...(values ?? [])],
  });
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Runs a statement, and returns its query plan with the rows and loops of each step. */
export async function explainAnalyzed(
  pool: Pick<Database['pool'], 'query'>,
  text: string,
  values: readonly unknown[],
): Promise<PlanNode> {
  const { rows } = await pool.query({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values: [...values],
  });
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Returns a step and all steps below it. */
export function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the query plan of a request as text. The statement runs with the key of the company. */
export async function explainPlan(api: TestApi, plan: Plan, pool = api.reader): Promise<string> {
  const { text, bind } = api.statementOf(statementShapeOf(plan));
  const company = { key: api.keys.get(plan.question.companyId) ?? '' };
  const { rows } = await withCompany(pool, company, (client) =>
    client.query({ text: `EXPLAIN ${text}`, values: [...bind(plan.values)] }),
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
