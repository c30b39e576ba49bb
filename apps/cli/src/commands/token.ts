import {
  type AccessTokenSummary,
  createAccessToken,
  duties,
  listAccessTokens,
  MAX_TOKEN_LIFETIME_MS,
  readingDuties,
  revokeAccessToken,
} from '@takt/access/administration';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { explainErrors } from '../access-changes.js';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { companyCodes, identifier, several } from '../parse-option.js';
import { printList } from '../print-list.js';
import { readFirstLine } from '../secret-input.js';
import type { Column } from '../table.js';

import type { Terminal } from '../terminal.js';

interface CreateOptions {
  readonly database: readonly string[];
  /** Lifetime of the token in milliseconds. */
  readonly expires: number;
  readonly description?: string;
  readonly client?: number;
  readonly user?: number;
  readonly duty?: readonly string[];
  readonly role?: readonly string[];
  readonly publish?: boolean;
}

const HELP = `
A token has the rights that it is given. --publish publishes events and does nothing else. --duty, --role and --user give
duties, and these alone: --role operator reads no planned times. Without any of these a token reads all of its companies
and changes nothing. --client limits it to the permissions of a client. Rights of client and person are looked up at
every use, so a token loses what they lose.
Duties: ${duties.join(', ')}.`;

const DEFAULT_LIFETIME = '8h';

export function addCommand(token: Command, terminal: Terminal): void {
  token
    .command('create')
    .description('create a token and print it, once')
    .requiredOption(
      '--database <codes>',
      'its companies, as in TEM-NO,TEM-SE; the first is the default',
      companyCodes,
    )
    .addOption(
      new Option('--expires <duration>', 'how long it is valid, as in 30m, 8h or 7d')
        .argParser(tokenLifetime)
        .default(tokenLifetime(DEFAULT_LIFETIME), DEFAULT_LIFETIME),
    )
    .option('--client <id>', 'limit it to the permissions of this client', identifier)
    .option('--user <pid>', 'give it the duties of this person', identifier)
    .option('--duty <duty>', 'give it this duty alone; may be given several times', several)
    .option(
      '--role <role>',
      'give it the duties of planner, operator, system-operator, administrator or integrator',
      several,
    )
    .option('--publish', 'let it publish events; with --client, if that client may')
    .option('--description <text>', 'a note on its purpose')
    .addHelpText('after', HELP)
    .action((options: CreateOptions) => create(options, terminal));
  token
    .command('list')
    .description('list the tokens and their rights, never the tokens themselves')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
  token
    .command('revoke')
    .description('revoke a token, within 5 s everywhere; prints: revoked')
    .argument(
      '<id>',
      'as takt token list prints it; or the token itself, which - reads from standard input, where nobody sees it in a ' +
        'list of processes',
    )
    .action((text: string) => revoke(text, terminal));
}

const COLUMNS: readonly Column<AccessTokenSummary>[] = [
  { title: 'ID', value: ({ tokenId }) => String(tokenId), isNumber: true },
  { title: 'COMPANIES', value: ({ companyCodes }) => companyCodes.join(',') },
  { title: 'CREATED', value: ({ createdAt }) => createdAt.toISOString() },
  { title: 'EXPIRES', value: ({ expiresAt }) => expiresAt.toISOString() },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'CLIENT', value: ({ clientId }) => String(clientId ?? ''), isNumber: true },
  { title: 'PERSON', value: ({ pid }) => String(pid ?? ''), isNumber: true },
  { title: 'RIGHTS', value: rightsOf },
  { title: 'LAST USE', value: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? '' },
  { title: 'DESCRIPTION', value: ({ description }) => description ?? '' },
];

/**
 * Describes the rights of a token. Publishing and duties are named, with read-* for all duties that read. If the token
 * has the duties of a person or a client, that person or client is named instead.
 */
function rightsOf({ mayPublish, duties: named, kind, pid }: AccessTokenSummary): string {
  const ofWhom =
    pid !== null ? 'duties of the person' : kind === 'client' ? 'duties of the client' : 'every duty';
  const readsAll = readingDuties.every((duty) => named?.includes(duty));
  const others = named?.filter((name) => !(readsAll && readingDuties.some((duty) => duty === name)));
  const trusted = others === undefined ? [ofWhom] : [...(readsAll ? ['read-*'] : []), ...others];
  return [...(mayPublish ? ['publish-events'] : []), ...trusted].join(',') || 'none';
}

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const tokens = await listAccessTokens(await context.openDatabase());
    await printList(
      tokens,
      { columns: COLUMNS, asJson, whenEmpty: 'takt: there is no token: takt token create makes one' },
      terminal,
    );
  });
}

async function create(options: CreateOptions, terminal: Terminal): Promise<void> {
  const { database, expires, description, client, user, duty, role, publish } = options;
  await withContext(terminal, async (context) => {
    const created = await explainErrors(
      createAccessToken(await context.openDatabase(), {
        companyCodes: database,
        expiresInMs: expires,
        ...(description !== undefined && { description }),
        ...(client !== undefined && { clientId: client }),
        ...(user !== undefined && { pid: user }),
        ...(duty !== undefined && { duties: duty }),
        ...(role !== undefined && { roles: role }),
        mayPublish: publish === true,
      }),
    );
    await terminal.print(created.token);
    terminal.say(`takt: valid until ${created.expiresAt.toISOString()}`);
  });
}

async function revoke(text: string, terminal: Terminal): Promise<void> {
  const given = (text === '-' ? await readFirstLine(terminal.input) : text).trim();
  const token = /^\d{1,15}$/.test(given) ? Number(given) : given;
  await withContext(terminal, async (context) => {
    if (!(await revokeAccessToken(await context.openDatabase(), token))) {
      throw new CommandError('no such token: takt token list shows the existing ones');
    }
    await terminal.print('revoked');
  });
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a lifetime in minutes, hours or days, and returns milliseconds. */
function tokenLifetime(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const lifetimeMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (lifetimeMs > 0 && lifetimeMs <= MAX_TOKEN_LIFETIME_MS) return lifetimeMs;
  throw new InvalidArgumentError('It must be minutes, hours or days from 1m to 365d, as in 30m, 8h or 7d.');
}
