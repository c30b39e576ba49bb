import { replaceSource } from './replace-source.js';
import { SHORT_CLAIMS } from './shorten-claims.js';
import { ADD_TO_FIGURES, TAKE_INTO_LEDGER } from './split-apply-function.js';

const IN_TWO_TRANSACTIONS = `async function inTwoTransactions(connection, { values: [events] }) {
  const taken = await connection.query(
    'SELECT changes::text, applied FROM ${TAKE_INTO_LEDGER}($1) AS taken (changes, applied)', [events]);
  const { changes, applied } = taken.rows[0];
  return connection.query(
    'SELECT position, outcome FROM ${ADD_TO_FIGURES}($1, $2::takt.production_time_change[], $3)',
    [events, changes, applied]);
}
`;

/** Ledger and figures are written by two statements, each a transaction of its own; claims are short besides. */
replaceSource([
  SHORT_CLAIMS,
  {
    module: '/packages/production-times/dist/src/apply-work-order-operation-events.js',
    edits: [
      { find: 'await connection.query({', replace: 'await inTwoTransactions(connection, {' },
      { find: 'function toLedgerEntry(', replace: `${IN_TWO_TRANSACTIONS}function toLedgerEntry(` },
    ],
  },
]);
