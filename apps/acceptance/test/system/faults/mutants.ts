/** Changes to one compiled module. They are applied while Node.js loads the module. */
export interface Replacement {
  /** The last part of the URL of the module. */
  readonly module: string;
  /** Each text must occur in the module exactly once. */
  readonly edits: readonly { readonly find: string; readonly replace: string }[];
}

/** Sets the duration of claims, and the interval of the checks for expired claims. */
function shortenClaims(claimMs: number, checkMs: number): Replacement {
  return {
    module: '/apps/worker/dist/src/consume-queue.js',
    edits: [
      { find: 'const CLAIM_MS = 15_000;', replace: `const CLAIM_MS = ${claimMs};` },
      { find: 'const STALLED_CHECK_MS = 5_000;', replace: `const STALLED_CHECK_MS = ${checkMs};` },
    ],
  };
}

/** With these claims, the jobs of a killed worker come back after about 2 s instead of 20 s. */
const SHORT_CLAIMS = shortenClaims(2_000, 500);

/**
 * Calls the two parts of the database function separately: first the part that writes the ledger, then the part that
 * writes the figures.
 */
const IN_TWO_TRANSACTIONS = `async function inTwoTransactions(connection, query) {
  if (!query.name.startsWith('apply-work-order-operation-events')) return connection.query(query);
  const [databases, events] = query.values;
  const taken = await connection.query(
    'SELECT companies, changes::text, written_companies, written_operations FROM takt.find_companies($1) AS companies, ' +
      "takt.write_to_ledger(companies, $2, NULL, NULL, 'UTC')", [databases, events]);
  const { companies, changes, written_companies, written_operations } = taken.rows[0];
  await connection.query(
    "SELECT takt.lock_figures(NULL, totals), takt.add_to_monthly_figures(NULL, $1, 'UTC'), takt.add_to_figures(NULL, totals) " +
      'FROM takt.add_up_months($1) AS totals', [changes]);
  if (written_operations?.length === companies.length) return { rows: [] };
  return connection.query(
    'SELECT position, outcome FROM takt.explain_ineffective_events(NULL, $1, $2, NULL, NULL, $3, $4, NULL)',
    [companies, events, written_companies, written_operations]);
}
`;

/** Deliberate changes of the worker's program. The program itself contains no code for them. */
export const mutants = {
  /** No bug, only shorter claims. This is the comparison for the mutants that have the same claims and a bug. */
  'short-claims': [SHORT_CLAIMS],

  /** No bug, only shorter claims. They are long enough for a busy worker on a loaded machine to renew them in time. */
  'brief-claims': [shortenClaims(4_000, 1_000)],

  /** The handler of a job acknowledges the job without waiting until the events of the job are committed. */
  'acknowledge-before-commit': [
    {
      ...SHORT_CLAIMS,
      edits: [
        ...SHORT_CLAIMS.edits,
        {
          find: 'await collector.submit(events)',
          replace: 'await (collector.submit(events).catch(() => undefined), Promise.resolve([]))',
        },
      ],
    },
  ],

  /** A job fails if it loses more than one worker. BullMQ permits one by default. */
  'default-stall-limit': [
    SHORT_CLAIMS,
    {
      module: '/packages/events/dist/src/queue/queue-backend.js',
      edits: [{ find: 'const MAX_STALLED_COUNT = 1_000;', replace: 'const MAX_STALLED_COUNT = 1;' }],
    },
  ],

  /** Two statements write the ledger and the figures, each in a transaction of its own. */
  'two-transactions': [
    SHORT_CLAIMS,
    {
      module: '/packages/figures/dist/src/apply-batch.js',
      edits: [
        {
          find: 'const applied = await connection.query({\n        name: mode ===',
          replace: 'const applied = await inTwoTransactions(connection, {\n        name: mode ===',
        },
        { find: 'function isKnownCluster(', replace: `${IN_TWO_TRANSACTIONS}function isKnownCluster(` },
      ],
    },
  ],
} satisfies Record<string, readonly Replacement[]>;

export type Mutant = keyof typeof mutants;

/**
 * Returns the Node.js arguments that activate a mutant in a worker. The worker does not start if a text to replace is
 * missing in its module.
 */
export function switchOn(mutant: Mutant): readonly string[] {
  const file = new URL('./switch-in.js', import.meta.url);
  file.searchParams.set('mutant', mutant);
  return ['--import', file.href];
}

/** Counts the messages about loaded changed modules in the output of a worker. */
export function countSwitchedOn(output: string): number {
  return output.split('FAULT SWITCHED IN: ').length - 1;
}
