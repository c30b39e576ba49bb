import { expect } from 'chai';
import {
  insertApplicationVersion,
  insertMonths,
  insertOperations,
  insertSavedViews,
  insertStructureVersions,
} from '../support/insert-rows.js';
import { COMPANY, OTHER_COMPANY } from '../support/open-test-api.js';
import type { ServedApi } from '../support/serve-api.js';
import type { Visit } from './crawler.js';

/** A part of every stored text of the other company, even of the company's name and code. */
export const CANARY = 'kanarienvogel';
/** The first digits of the numbers of the other company. */
export const DIGITS = '76543';
const CANARIES = new RegExp(`${CANARY}|${[...DIGITS].join('\\.?')}`, 'i');

/**
 * The number of structure versions of each company. The numbers differ, so that a total count in an answer also reveals
 * the company of the counted rows.
 */
export const OWN_ROWS = 7;
const OTHER_ROWS = 23;

/** Returns a message for each canary in the text, in a header or in a page key of an answer. */
export function findCanaries({ target, answer }: Visit): readonly string[] {
  const keys = answer.text.match(/[\w-]{40,}/g) ?? [];
  const places = {
    text: answer.text,
    headers: JSON.stringify(answer.headers),
    keys: keys.map((key) => Buffer.from(key, 'base64url').toString('latin1')).join(' '),
  };
  return Object.entries(places).flatMap(([place, text]) => {
    const [found] = CANARIES.exec(text) ?? [];
    return found === undefined ? [] : [`${found} in the ${place} of ${target}`];
  });
}

interface TextColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Returns every text column that belongs to a company and that the API may read. Leaves out the time zones of months,
 * because PostgreSQL does not accept a canary as a time zone.
 */
export async function companyTexts({ owner }: ServedApi): Promise<readonly TextColumn[]> {
  const { rows } = await owner.query<TextColumn>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns texts
     WHERE table_schema = 'takt' AND data_type = 'text' AND is_generated = 'NEVER' AND column_name <> 'code'
       AND table_name <> 'month_zones'
       AND table_name NOT IN (SELECT table_name FROM information_schema.views)
       AND has_column_privilege('takt_api', format('takt.%I', table_name), column_name, 'SELECT')
       AND EXISTS (SELECT FROM information_schema.columns keys WHERE keys.table_schema = 'takt'
         AND keys.table_name = texts.table_name AND keys.column_name = 'company_id')`,
  );
  expect(rows.length).to.be.greaterThan(20);
  return rows;
}

const DEVIATION = 7.65432;

/** Canaries of each kind of data. Answers to the other company itself contain all of them. */
export const servedCanaries = (): readonly string[] => [
  ...[`${CANARY} Bracket`, `${CANARY} K`, `${CANARY} Structure`, `${CANARY} Board`, `${CANARY} Kari`],
  ...[`${DIGITS}001`, `${DIGITS}.25`, String(DEVIATION), `:${DIGITS},`, `${CANARY} Other`],
];

/**
 * Inserts rows for both companies. Some rows of the other company have the same identifiers as rows of the first
 * company. All other values of the other company contain a canary.
 */
export async function insertCompanies(api: ServedApi): Promise<void> {
  const { owner } = api;
  const longest = (Number(DIGITS) + 2 * DEVIATION).toFixed(5);
  await insertStructureVersions(owner, [
    ...Array.from({ length: OWN_ROWS }, (_, index) => ({
      id: 1 + index,
      productName: `Bracket ${index}`,
      productDescription: 'Welded',
      planned: { run: index === 0 ? null : `1.${index}`, setup: '0.5', cleanup: '0.25' },
      actual: { run: ['1.5', '2.5'], setup: ['0.5'], cleanup: ['0.125'] },
    })),
    ...Array.from({ length: OTHER_ROWS }, (_, index) => ({
      companyId: OTHER_COMPANY,
      id: index < 3 ? 1 + index : Number(`${DIGITS}${String(index).padStart(3, '0')}`) - 2,
      productName: `Bracket ${index}`,
      productDescription: 'Welded',
      status: Number(DIGITS),
      version: Number(DIGITS),
      productStatus: Number(DIGITS),
      // The operations are so many that the API can suggest a plan. One of the plans is far enough from the production
      // times.
      completed: 20,
      planned: { run: index === 5 ? '1.5' : `${DIGITS}.25`, setup: `${DIGITS}.5`, cleanup: `${DIGITS}.75` },
      actual: {
        run: [DIGITS, longest],
        setup: [DIGITS, longest],
        cleanup: [DIGITS, longest],
      },
    })),
  ]);
  await insertSavedViews(owner, [
    { name: 'Own view' },
    { companyId: OTHER_COMPANY, name: 'Other view', pid: Number(DIGITS) },
  ]);
  await insertMonths(
    owner,
    ['2025-12', '2026-01'].flatMap((month) => [
      { structureVersionId: 1, month, completed: 2 },
      { companyId: OTHER_COMPANY, structureVersionId: 1, month, completed: Number(DIGITS) },
    ]),
  );
  await insertOperations(
    owner,
    [1, 2].flatMap((id) => [
      { id, structureVersionId: 1, workOrderId: 5 },
      {
        ...{ id, companyId: OTHER_COMPANY, structureVersionId: 1, workOrderId: Number(DIGITS) },
        ...{ revision: Number(DIGITS), run: DIGITS, setup: DIGITS, cleanup: DIGITS },
      },
    ]),
  );
  for (const [company, identifier] of [
    [COMPANY, 101],
    [OTHER_COMPANY, 101],
    [OTHER_COMPANY, Number(`${DIGITS}101`)],
  ] as const) {
    const number = company === COMPANY ? 4 : Number(DIGITS);
    const said = {
      created_by_first_name: 'Kari',
      created_by_name: 'Nordmann',
      permission_name: 'Production',
    };
    await insertApplicationVersion(owner, {
      ...{ company_id: company, application_id: 10_001, application_version_id: identifier },
      ...{ status: number, lookup_priority: number, created_by_user_id: number, changed_by_user_id: number },
      ...{ permission_id: number, restricted_to_company_id: number, ...said },
    });
    // Both companies have a user, a company and a permission with the same identifier, 5.
    await insertApplicationVersion(owner, {
      ...{ company_id: company, application_id: 10_001, application_version_id: identifier + 1 },
      ...{ created_by_user_id: 5, permission_id: 5, restricted_to_company_id: 5, ...said },
    });
  }
  await owner.query(
    `UPDATE takt.companies SET code = upper($1), name = $1 || ' Other' WHERE company_id = $2`,
    [CANARY, OTHER_COMPANY],
  );
  for (const { table, column } of await companyTexts(api)) {
    await owner.query(
      `UPDATE takt.${table} SET ${column} = concat($1::text, ${column}) WHERE company_id = $2`,
      [`${CANARY} `, OTHER_COMPANY],
    );
  }
}
