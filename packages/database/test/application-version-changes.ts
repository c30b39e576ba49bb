import * as schema from '@takt/catalogue/schema';
import type { Database } from '@takt/database';
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { batchArguments } from './concurrent-writers.js';
import type { NoEffect } from './structure-version-changes.js';

/** An event for takt.apply_application_version_changes: the code of the company, and the columns of the table. */
const CHANGE = {
  database: 'TEM-NO',
  application_version_id: 100,
  application_id: 10_000,
  changed_at: '2026-03-02 12:00:00+00',
  status: 4,
  type: 'APPLICATION',
  name: 'planner',
  descriptive_name: 'Planner',
  description: 'Plans the week',
  namespace: 'tem.planner',
  master_url: 'https://example.com/planner',
  lookup_key: 'PLN',
  lookup_priority: 3,
  content_type: 'HTML5',
  change_description: 'First version',
  created_at: '2026-01-02 03:04:05.678901+00',
  created_by_user_id: 7,
  created_by_first_name: 'Åse',
  created_by_name: 'Nilsen',
  restricted_to_company_id: 8,
  restricted_to_database: 'TEM-SE',
  permission_id: 9,
  permission_name: 'Planning',
  scope: 'LOCAL',
  is_changed: false,
  changed_by_user_id: 11,
  changed_by_first_name: 'Søren',
  changed_by_name: 'Holm',
  is_pending_deployment: true,
  field_order: '["b", "a" ]',
};

export type ApplicationVersionChange = {
  readonly [Key in keyof typeof CHANGE]: (typeof CHANGE)[Key] | (Key extends RequiredKey ? never : null);
};
type RequiredKey = 'database' | 'application_version_id' | 'application_id' | 'changed_at' | 'type' | 'name';

/**
 * Returns a valid change of application version 100 with every field set. The fields of `given` replace the defaults.
 */
export function applicationVersionChange(
  given: Partial<ApplicationVersionChange> = {},
): ApplicationVersionChange {
  return { ...CHANGE, ...given };
}

export async function applyApplicationVersionChanges(
  { pool }: Pick<Database, 'pool'>,
  changes: readonly ApplicationVersionChange[],
): Promise<readonly NoEffect[]> {
  const { rows } = await pool.query<NoEffect>(
    `SELECT position, CASE WHEN is_conflict THEN 'conflict' ELSE outcome END AS outcome
      FROM takt.apply_application_version_changes($1, $2)`,
    batchArguments(changes),
  );
  return rows;
}

/** Reads the row of an application version of TEM-NO or of another company; undefined if there is none. */
export async function findApplicationVersion(
  { pool }: Database,
  applicationVersion: number,
  database = 'TEM-NO',
) {
  const rows = await drizzle(pool)
    .select({ row: schema.applicationVersions })
    .from(schema.applicationVersions)
    .innerJoin(schema.companies, eq(schema.companies.companyId, schema.applicationVersions.companyId))
    .where(
      and(
        eq(schema.companies.code, database),
        eq(schema.applicationVersions.applicationVersionId, applicationVersion),
      ),
    );
  return rows[0]?.row;
}
