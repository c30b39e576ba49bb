import type { PathParameter, Source } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { placeholders } from './plan.js';

/** What holds for every row that is served at an address: of this company, named by the path, and not left out. */
export function servedConditions(source: Source, pathParameters: readonly PathParameter[]): readonly SQL[] {
  const { company, condition } = source;
  return [
    ...(company === undefined ? [] : [sql`${company} = ${sql.placeholder(placeholders.company)}::integer`]),
    ...pathParameters.map(
      ({ name, column }) => sql`${column} = ${sql.placeholder(placeholders.identifier(name))}::bigint`,
    ),
    ...(condition === undefined ? [] : [sql`${condition}`]),
  ];
}
