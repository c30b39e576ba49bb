import { FIRST_OPERATION_ID, generateEvents, LAST_INSTANT } from '@takt/events/generator';
import { readInstant } from '@takt/events/internal';
import { resolveSettings } from '@takt/run/settings';
import { type Command, InvalidArgumentError } from 'commander';
import { withContext } from '../context.js';
import { describeError, UsageError } from '../errors.js';
import { companyCodes, integerFrom, share } from '../parse-option.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';

interface GenerateOptions {
  readonly events: number;
  readonly structures: number;
  readonly companies: readonly string[];
  readonly firstOperation?: number;
  readonly until: string;
  readonly seed: number;
  readonly corrections: number;
  readonly duplicates: number;
  readonly keys?: boolean;
}

const HELP = `
Prints events of invented factories as lines of JSON: first master data (structure versions with their plans, application
versions), then what the shop floors report in the 364 days before --until, whose default never changes. --events counts
completions, corrections and reopenings; master data and duplicates are printed in addition, and standard error says how
many. Times scatter around the plan, each structure version with its own bias, drift and spread; now and then one is far too
long; a fifth of the products has most work orders. The names of every second company are Norwegian; with --keys
its objects have keys in place of numbers.

The ids of operations begin above the largest id in the database, so that no event changes an existing operation:
DATABASE_URL says which database, or TAKT_HOME while its server runs. Without a database they begin at ${FIRST_OPERATION_ID}.
With --first-operation the same arguments give the same bytes, whatever the database holds.`;

/**
 * Number of characters that are written at once. A system call for each event would take longer than generating the
 * event.
 */
const CHUNK_CHARACTERS = 65_536;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--events <n>', 'events of work order operations', integerFrom(0))
    .option('--structures <n>', 'structure versions, of all companies together', integerFrom(1), 250)
    .option('--companies <codes>', 'company codes, separated by commas', companyCodes, ['TEM-NO'])
    .option(
      '--first-operation <n>',
      'the id of the first operation of each company; by default one above the largest id in the database',
      integerFrom(1),
    )
    .option(
      '--until <instant>',
      'the end of the generated year: an instant with Z, or a day, which then ends at T23:59:59Z',
      instantOrDay,
      LAST_INSTANT,
    )
    .option('--seed <n>', 'another seed gives other events', integerFrom(0), 1)
    .option('--corrections <p>', 'share of the events that change an earlier one', share, 0)
    .option('--duplicates <p>', 'exact copies, as a share of the events', share, 0)
    .option('--keys', 'name the objects of every second company by keys, such as FA-500001/0010')
    .addHelpText('after', HELP)
    .action((options: GenerateOptions) => generate(options, terminal));
}

/** Reads an instant. A day stands for its last second in UTC. */
function instantOrDay(text: string): string {
  const instant = readInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (instant !== undefined) return instant;
  throw new InvalidArgumentError(
    'It must be a day, as in 2025-12-31, or an instant, as in 2025-12-31T22:00:00Z.',
  );
}

async function generate(
  { structures, firstOperation, ...options }: GenerateOptions,
  terminal: Terminal,
): Promise<void> {
  if (structures < options.companies.length) {
    throw new UsageError(`--structures must be at least ${options.companies.length}, one for each company`);
  }
  const firstOperationId = firstOperation ?? (await findFirstOperation(terminal));
  const made = await withProgress(terminal, 'generating events', options.events, async ({ update }) => {
    let chunk = '';
    const counts = { all: 0, masterData: 0 };
    for (const event of generateEvents({ ...options, structureVersions: structures, firstOperationId })) {
      chunk += `${JSON.stringify(event)}\n`;
      counts.all += 1;
      if (!event.type.startsWith('work-order-operation.')) counts.masterData += 1;
      if (chunk.length >= CHUNK_CHARACTERS) {
        await terminal.write(chunk);
        chunk = '';
        update(counts.all);
      }
    }
    await terminal.write(chunk);
    return counts;
  });
  const duplicates = made.all - made.masterData - options.events;
  const beside = `${made.masterData} of master data${duplicates > 0 ? ` and ${duplicates} duplicates` : ''}`;
  terminal.say(
    `takt: ${options.events} events from operation ${firstOperationId} on, and beside them ${beside}`,
  );
}

/** Returns an id above the ids of all operations in the database if its server is running. Does not start a server. */
async function findFirstOperation(terminal: Terminal): Promise<number> {
  const { databaseUrl, home } = resolveSettings(terminal.environment);
  const { hasServer } = await import('@takt/embedded-postgres');
  if (databaseUrl === undefined && !(await hasServer(home))) return FIRST_OPERATION_ID;
  try {
    return await withContext(terminal, async (context) => {
      const { pool } = await context.openDatabase();
      const { rows } = await pool.query<{ next: number }>(
        `SELECT greatest($1, 1 + max(largest.id))::float8 AS next
         FROM takt.companies, LATERAL (
           SELECT work_order_operation_id AS id FROM takt.work_order_operations operation
           WHERE operation.company_id = companies.company_id
           ORDER BY work_order_operation_id DESC LIMIT 1) AS largest`,
        [FIRST_OPERATION_ID],
      );
      return rows[0]?.next ?? FIRST_OPERATION_ID;
    });
  } catch (error) {
    terminal.say(`takt: the largest operation of the database could not be read: ${describeError(error)}`);
    return FIRST_OPERATION_ID;
  }
}
