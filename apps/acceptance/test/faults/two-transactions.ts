import { replaceSource } from './replace-source.js';
import { SHORT_CLAIMS } from './shorten-claims.js';

/** Calls the parts that the database's function is made of: the ledger first, then the figures. */
const IN_TWO_TRANSACTIONS = `async function inTwoTransactions(connection, query) {
  if (query.name !== 'apply-work-order-operation-events') return connection.query(query);
  const [databases, events] = query.values;
  const taken = await connection.query(
    'SELECT companies, changes::text, written_companies, written_operations FROM takt.find_companies($1) AS companies, ' +
      "takt.write_to_ledger(companies, $2, 'UTC')", [databases, events]);
  const { companies, changes, written_companies, written_operations } = taken.rows[0];
  await connection.query(
    "SELECT takt.lock_figures(NULL, totals), takt.add_to_monthly_figures(NULL, $1, 'UTC'), takt.add_to_figures(NULL, totals) " +
      'FROM takt.add_up_months($1) AS totals', [changes]);
  if (written_operations?.length === companies.length) return { rows: [] };
  return connection.query(
    'SELECT position, outcome FROM takt.explain_ineffective_events(NULL, $1, $2, $3, $4, NULL)',
    [companies, events, written_companies, written_operations]);
}
`;

/** Ledger and figures are written by two statements, each a transaction of its own; claims are short besides. */
replaceSource([
  SHORT_CLAIMS,
  {
    module: '/packages/figures/dist/src/apply-batch.js',
    edits: [
      {
        find: 'const applied = await connection.query({\n            name: nameOf(takenBy),',
        replace: 'const applied = await inTwoTransactions(connection, {\n            name: nameOf(takenBy),',
      },
      { find: 'function isKnownCluster(', replace: `${IN_TWO_TRANSACTIONS}function isKnownCluster(` },
    ],
  },
]);
