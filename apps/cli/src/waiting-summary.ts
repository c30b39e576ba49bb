import type { Database } from '@takt/database';
import { countUnlistedStructureVersions } from '@takt/figures';

/** The number of operations that wait for master data, and of their structure versions. */
export interface UnlistedTotals {
  readonly structureVersions: number;
  readonly operations: number;
}

export async function readUnlisted({ pool }: Database): Promise<UnlistedTotals> {
  const companies = await countUnlistedStructureVersions(pool);
  const sum = (what: keyof UnlistedTotals) => companies.reduce((total, company) => total + company[what], 0);
  return { structureVersions: sum('structureVersions'), operations: sum('operations') };
}

/** Writes the line of `takt status` about unlisted structure versions. */
export function describeUnlisted({ structureVersions, operations }: UnlistedTotals): string {
  if (operations === 0) return 'unlisted     0 operations';
  return (
    `unlisted     ${operations} operations of ${structureVersions} structure versions ` +
    'without master data (takt unlisted list)'
  );
}
