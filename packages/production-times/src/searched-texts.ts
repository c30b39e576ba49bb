import type pg from 'pg';
import type { FigureDifference } from './figures.js';
import { fetchPages } from './read-pages.js';

export interface TextDifference extends FigureDifference {
  readonly id: string;
}

/** What a search looks into, as `takt audit` names it. */
const SEARCHED_TEXT = 'searchedText';

/**
 * Listed structure versions of a company which a search would not find by their names, for another text is kept of them
 * than these give, by key. The database compares: how it folds letters cannot be said a second time. A text that is kept of
 * no listed structure version finds nothing. To be called inside a transaction whose snapshot stays.
 */
export async function* findTextDifferences(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<TextDifference> {
  const pages = fetchPages<Omit<TextDifference, 'figure'>>(connection, {
    cursorName: 'audited_texts',
    text: `SELECT product_structure_version_id AS id, known.folded AS stored, searched.folded AS recomputed
      FROM takt.product_structure_versions AS listed
      CROSS JOIN LATERAL (
        SELECT takt.searched_text(product_name, name, product_id, product_structure_version_id) AS folded) AS searched
      LEFT JOIN takt.structure_version_texts AS known USING (company_id, product_structure_version_id)
      WHERE company_id = $1 AND listed.changed_at IS NOT NULL AND known.folded IS DISTINCT FROM searched.folded
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const rows of pages) {
    for (const { id, stored, recomputed } of rows) yield { id, figure: SEARCHED_TEXT, stored, recomputed };
  }
}
