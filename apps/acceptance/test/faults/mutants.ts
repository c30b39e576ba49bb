/** Text of one compiled module that is replaced while node loads it. */
export interface Replacement {
  /** How the module's URL ends. */
  readonly module: string;
  /** Each text must stand in the module exactly once. */
  readonly edits: readonly { readonly find: string; readonly replace: string }[];
}

/** Lets a claim of the workers last so long, and looks so often for those that have run out. */
function shortenClaims(claimMs: number, checkMs: number): Replacement {
  return {
    module: '/apps/worker/dist/src/consume-queue.js',
    edits: [
      { find: 'const CLAIM_MS = 15_000;', replace: `const CLAIM_MS = ${claimMs};` },
      { find: 'const STALLED_CHECK_MS = 5_000;', replace: `const STALLED_CHECK_MS = ${checkMs};` },
    ],
  };
}

/** The jobs of a killed worker come back after about 2 s instead of 20. */
const SHORT_CLAIMS = shortenClaims(2_000, 500);

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

/** Deliberate changes of the worker's program. The program itself contains nothing of them. */
export const mutants = {
  /** No bug: only less waiting, to compare with the same and a bug. */
  'short-claims': [SHORT_CLAIMS],

  /** No bug: less waiting, but a worker with much to do on a machine under load still renews its claims in time. */
  'brief-claims': [shortenClaims(4_000, 1_000)],

  /** The job's handler hands the events over and does not wait until they are committed. */
  'acknowledge-before-commit': [
    {
      ...SHORT_CLAIMS,
      edits: [
        ...SHORT_CLAIMS.edits,
        {
          find: 'await collector.submit(content.accepted)',
          replace: '(collector.submit(content.accepted).catch(() => undefined), [])',
        },
      ],
    },
  ],

  /** A job may lose its worker once, as BullMQ has it by default. */
  'default-stall-limit': [
    SHORT_CLAIMS,
    {
      module: '/packages/events/dist/src/queue/queue-backend.js',
      edits: [{ find: 'const MAX_STALLED_COUNT = 1_000;', replace: 'const MAX_STALLED_COUNT = 1;' }],
    },
  ],

  /** Ledger and figures are written by two statements, each a transaction of its own. */
  'two-transactions': [
    SHORT_CLAIMS,
    {
      module: '/packages/figures/dist/src/apply-batch.js',
      edits: [
        {
          find: 'const applied = await connection.query({\n            name: nameOf(takenBy),',
          replace:
            'const applied = await inTwoTransactions(connection, {\n            name: nameOf(takenBy),',
        },
        { find: 'function isKnownCluster(', replace: `${IN_TWO_TRANSACTIONS}function isKnownCluster(` },
      ],
    },
  ],
} satisfies Record<string, readonly Replacement[]>;

export type Mutant = keyof typeof mutants;

/** Arguments for node that switch a mutant on in a worker, which does not start if a text to replace is gone. */
export function switchOn(mutant: Mutant): readonly string[] {
  const file = new URL('./switch-in.js', import.meta.url);
  file.searchParams.set('mutant', mutant);
  return ['--import', file.href];
}

/** How often a worker's output tells that a changed module was loaded. */
export function countSwitchedOn(output: string): number {
  return output.split('FAULT SWITCHED IN: ').length - 1;
}
