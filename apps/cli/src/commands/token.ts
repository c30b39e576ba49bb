import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  type AccessTokenSummary,
  createAccessToken,
  listAccessTokens,
  MAX_TOKEN_LIFETIME_MS,
  revokeAccessToken,
  UnknownNamesError,
} from '@takt/access';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { companyCodes } from '../parse-option.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

interface CreateOptions {
  readonly database: readonly string[];
  /** Milliseconds. */
  readonly expires: number;
  readonly description?: string;
}

const DEFAULT_LIFETIME = '8h';

export function addCommand(program: Command, terminal: Terminal): void {
  const token = program.command('token').description('the access tokens with which the API is asked');
  token
    .command('create')
    .description('make a token and print it; it cannot be shown a second time')
    .requiredOption(
      '--database <codes>',
      'the companies it is for, as in TEM-NO,TEM-SE; the first is the default',
      companyCodes,
    )
    .addOption(
      new Option('--expires <duration>', 'how long it is valid, as in 30m, 8h or 7d')
        .argParser(tokenLifetime)
        .default(tokenLifetime(DEFAULT_LIFETIME), DEFAULT_LIFETIME),
    )
    .option('--description <text>', 'what it is for')
    .action((options: CreateOptions) => create(options, terminal));
  token
    .command('list')
    .description('list the tokens, without themselves: only their holders know them')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
  token
    .command('revoke')
    .description('end a token before its time, within 5 s everywhere; prints: revoked')
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
  { title: 'DESCRIPTION', value: ({ description }) => description ?? '' },
];

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const tokens = await listAccessTokens(await context.openDatabase());
    if (asJson) {
      await terminal.print(JSON.stringify(tokens));
      return;
    }
    if (tokens.length === 0) terminal.say('takt: there is no token: takt token create makes one');
    const lines = tokens.length === 0 ? [] : formatTable(COLUMNS, tokens, { width: terminal.columns });
    for (const line of lines) await terminal.print(line);
  });
}

async function create({ database, expires, description }: CreateOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const created = await createAccessToken(await context.openDatabase(), {
      companyCodes: database,
      expiresInMs: expires,
      ...(description === undefined ? {} : { description }),
    }).catch((error: unknown) => {
      if (!(error instanceof UnknownNamesError)) throw error;
      throw new CommandError(`${error.message}: takt company add registers one`);
    });
    await terminal.print(created.token);
    terminal.say(`takt: valid until ${created.expiresAt.toISOString()}`);
  });
}

async function revoke(text: string, terminal: Terminal): Promise<void> {
  const given = (text === '-' ? await readFirstLine(terminal.input) : text).trim();
  const token = /^\d{1,15}$/.test(given) ? Number(given) : given;
  await withContext(terminal, async (context) => {
    if (!(await revokeAccessToken(await context.openDatabase(), token))) {
      throw new CommandError('no such token: takt token list shows those there are');
    }
    await terminal.print('revoked');
  });
}

/** Resolves at the first line's end, so that who types the token need not end the input too. */
async function readFirstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a lifetime in minutes, hours or days. Gives milliseconds. */
function tokenLifetime(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const lifetimeMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (lifetimeMs > 0 && lifetimeMs <= MAX_TOKEN_LIFETIME_MS) return lifetimeMs;
  throw new InvalidArgumentError('It must be minutes, hours or days from 1m to 365d, as in 30m, 8h or 7d.');
}
