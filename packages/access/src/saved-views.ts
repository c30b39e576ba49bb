import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';

type Pool = Database['pool'];

/**
 * Limits that the database enforces (save_view, takt.saved_views): the maximum number of code points in a name, and the
 * maximum number of views that a person can save in one company.
 */
export const savedViewLimits = { nameCharacters: 80, queryCharacters: 4_096, views: 100 } as const;

export interface ViewToSave {
  /** The name of the view, 1 to 80 characters. If the person already has a view of this name, it is replaced. */
  readonly name: string;
  /** The path of the saved address, below the base URL. */
  readonly path: string;
  /** The query string of the saved address, without the question mark, at most 4,096 characters. */
  readonly query: string;
  /** True if everybody in the company can see the view. */
  readonly isShared: boolean;
}

/**
 * Saves a view for the person of the token. Returns undefined if the view was saved, `no-person` if the token has no
 * person or does not cover this company, and `full` if the person already has 100 views in this company.
 */
export async function saveView(
  pool: Pool,
  token: string,
  company: string,
  { name, path, query, isShared }: ViewToSave,
): Promise<'no-person' | 'full' | undefined> {
  const { rows } = await pool.query<{ refused: 'no-person' | 'full' | null }>({
    text: 'SELECT takt.save_view($1, $2, $3, $4, $5, $6) AS refused',
    values: [hashToken(token), company, name, path, query, isShared],
  });
  return rows[0]?.refused ?? undefined;
}

/**
 * Shares a view of the token's person, stops sharing it, or deletes it. Returns false if the person has no such view.
 */
export async function changeView(
  pool: Pool,
  token: string,
  company: string,
  { id, change }: { readonly id: number; readonly change: 'share' | 'keep' | 'delete' },
): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({
    text: 'SELECT takt.change_view($1, $2, $3, $4) AS found',
    values: [hashToken(token), company, id, change === 'delete' ? null : change === 'share'],
  });
  return rows[0]?.found === true;
}
