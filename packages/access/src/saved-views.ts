import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';

type Pool = Database['pool'];

/** As the database has them (save_view, takt.saved_views): code points of a name, and views of a person in a company. */
export const savedViewLimits = { nameCharacters: 80, views: 100 } as const;

export interface ViewToSave {
  /** 1 to 80 characters. A view of the person under the same name is replaced. */
  readonly name: string;
  /** Below the base URL. */
  readonly path: string;
  /** Query of the address, without a question mark. */
  readonly query: string;
  /** True: everybody in the company sees it. */
  readonly isShared: boolean;
}

/**
 * Saves a view of the person with this token. Gives undefined if it is saved, `no-person` if the token is nobody's or not for
 * the company, and `full` if the person already has 100 views there.
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

/** Shares a view of the person with this token, ends that, or deletes it. False: the person has no such view. */
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
