import type { RecordedStatement } from './statement-recorder.js';

const FIGURES = ['run', 'setup', 'cleanup'].map(
  (kind) => `avg(${kind}_time) AS average_${kind}_time, min(${kind}_time) AS shortest_${kind}_time,
    max(${kind}_time) AS longest_${kind}_time, stddev_pop(${kind}_time) AS deviation_${kind}_time`,
);

/** The first page without materialised figures: everything is computed from the operations when it is asked for. */
export function liveAggregation(companyId: number): RecordedStatement {
  return {
    name: 'live_aggregation',
    text: `
      SELECT listed.product_structure_version_id, listed.name, listed.product_name, figures.*
      FROM takt.product_structure_versions listed
      LEFT JOIN (
        SELECT product_structure_version_id, count(*) AS completed, ${FIGURES.join(', ')}
        FROM takt.work_order_operations
        WHERE company_id = $1::integer AND run_time IS NOT NULL
        GROUP BY product_structure_version_id
      ) AS figures USING (product_structure_version_id)
      WHERE listed.company_id = $1::integer AND listed.changed_at IS NOT NULL
      ORDER BY figures.average_run_time, listed.product_structure_version_id
      LIMIT 80`,
    values: [String(companyId)],
  };
}
