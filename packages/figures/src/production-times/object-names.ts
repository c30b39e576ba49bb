import type pg from 'pg';

/** How people know a structure version: by its key, or by its number if it has none. */
export interface VersionName {
  readonly productStructureVersionId: number;
  readonly productStructureVersionKey: string | null;
}

export function nameOfVersion({
  productStructureVersionId: id,
  productStructureVersionKey: key,
}: VersionName): string {
  return key ?? String(id);
}

/** Returns the keys of structure versions of a company, by number. Those without a key are left out. */
export async function readVersionKeys(
  connection: pg.Pool | pg.ClientBase,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await connection.query<{ id: string; key: string }>(
    `SELECT number AS id, key FROM takt.object_keys
     WHERE company_id = $1 AND kind = 'version' AND number = ANY ($2)`,
    [companyId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, key }) => [Number(id), key]));
}
