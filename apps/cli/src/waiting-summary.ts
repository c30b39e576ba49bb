import type { Database } from '@takt/database';
import { countUnlistedStructureVersions } from '@takt/figures';

/** What waits in the database for somebody to see to it. */
export interface WaitingSummary {
  readonly unlisted: { readonly structureVersions: number; readonly operations: number };
  /** Rejected events that have left their queues. */
  readonly exportedRejected: number;
}

export async function readWaitingSummary({ pool }: Database): Promise<WaitingSummary> {
  const [companies, exported] = await Promise.all([
    countUnlistedStructureVersions(pool),
    pool.query<{ count: string }>('SELECT count(*) AS count FROM takt.rejected_events'),
  ]);
  const sum = (what: 'structureVersions' | 'operations') =>
    companies.reduce((total, company) => total + company[what], 0);
  return {
    unlisted: { structureVersions: sum('structureVersions'), operations: sum('operations') },
    exportedRejected: Number(exported.rows[0]?.count ?? 0),
  };
}

/** The line of takt status. */
export function describeUnlisted({ unlisted }: WaitingSummary): string {
  if (unlisted.operations === 0) return 'unlisted     0 operations';
  return (
    `unlisted     ${unlisted.operations} operations of ${unlisted.structureVersions} structure versions ` +
    'without master data (takt unlisted list)'
  );
}
