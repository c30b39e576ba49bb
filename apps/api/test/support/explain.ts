import type { Database } from '@takt/database';
import type { Plan } from '../../src/query/plan.js';
import { withCompany } from '../../src/query/run-statement.js';
import { statementShapeOf } from '../../src/query/statement-cache.js';
import type { TestApi } from './open-test-api.js';

/** A step of how PostgreSQL runs a statement, as far as it is looked at. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** How a statement is run with these values; without any: how it is run whatever they are. */
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

/** How what is planned is read for its company, as text. */
export async function explainPlan(api: TestApi, plan: Plan, pool = api.reader): Promise<string> {
  const { text, bind } = api.statementOf(statementShapeOf(plan));
  const company = { key: api.keys.get(plan.question.companyId) ?? '' };
  const { rows } = await withCompany(pool, company, (client) =>
    client.query({ text: `EXPLAIN ${text}`, values: [...bind(plan.values)] }),
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
