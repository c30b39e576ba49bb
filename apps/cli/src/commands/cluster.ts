import {
  addNode,
  ClusterError,
  type ClusterNode,
  describeCluster,
  initCluster,
  moveCompany,
  type NodeAddress,
  rebalanceCluster,
} from '@takt/database';
import { type Command, InvalidArgumentError } from 'commander';
import { type Context, withAdvice, withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

const INIT_HELP = `
Every server needs PostgreSQL 18 and Citus 14, with citus in shared_preload_libraries and wal_level = logical. The owner in
DATABASE_URL is a superuser on each of them, and they let it and the log-ins of the apps in from one another: all that is missing
is printed before anything is changed. docs/operating/citus.md has the steps. The server of DATABASE_URL becomes the
coordinator: it keeps people, clients, tokens and rejected events, and apps still connect to it. Workers wait while the
tables are distributed; restart the API afterwards. Safe to repeat after a failure.`;

const REBALANCE_HELP = `
Moves companies until the nodes hold about equal amounts, with Citus's own rebalancer. Readers and writers continue; they wait a
moment when their own company moves.`;

const COLUMNS: readonly Column<ClusterNode>[] = [
  { title: 'NODE', value: addressOf },
  { title: 'ROLE', value: ({ isCoordinator }) => (isCoordinator ? 'coordinator' : 'worker') },
  { title: 'COMPANIES', value: ({ companies }) => String(companies), isNumber: true },
  { title: 'MB', value: ({ bytes }) => (bytes === null ? 'away' : (bytes / 1e6).toFixed(1)), isNumber: true },
];

export function addCommand(cluster: Command, terminal: Terminal): void {
  cluster
    .command('init')
    .description('distribute the companies of a database over the nodes of a Citus cluster; prints the nodes')
    .requiredOption('--workers <host,...>', 'the servers that hold the companies, HOST or HOST:PORT', nodes)
    .option(
      '--coordinator <host>',
      'the address by which they reach the server of DATABASE_URL; default the one in DATABASE_URL',
      node,
    )
    .addHelpText('after', INIT_HELP)
    .action((options: InitOptions) => init(options, terminal));
  cluster
    .command('add-node')
    .description('add a server, which stays empty until takt cluster rebalance; prints the nodes')
    .argument('<host>', 'HOST or HOST:PORT', node)
    .action((address: AddressOption) => add(address, terminal));
  cluster
    .command('rebalance')
    .description('move companies until the nodes hold about equal amounts; prints the nodes')
    .addHelpText('after', REBALANCE_HELP)
    .action(() => rebalance(terminal));
  cluster
    .command('move')
    .description(
      'move a company to a node while readers and writers continue; prints the companies that moved',
    )
    .argument('<company>', 'code of the company; companies that share its shard move with it')
    .argument('<host>', 'HOST or HOST:PORT of the node, as in takt cluster list', node)
    .action((company: string, address: AddressOption) => move(company, address, terminal));
  cluster
    .command('list')
    .description('list the nodes, with how many companies each holds')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
}

/** The address of a node. If it has no port, the port of DATABASE_URL is used. */
type AddressOption = Omit<NodeAddress, 'port'> & { readonly port?: number };

interface InitOptions {
  readonly workers: readonly AddressOption[];
  readonly coordinator?: AddressOption;
}

const DEFAULT_PORT = 5_432;

async function init({ workers, coordinator }: InitOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const url = await urlOf(context);
    await context.openDatabase();
    const { host, port } = addressIn(url);
    await changed(
      initCluster({
        url,
        onStep: sayTo(terminal),
        nodes: workers.map((worker) => ({ port, ...worker })),
        coordinator: { port, ...(coordinator ?? { host }) },
      }),
    );
    await printNodes(await describeCluster((await context.openDatabase()).pool), terminal);
  });
}

async function add(address: AddressOption, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const url = await urlOf(context);
    const { port } = addressIn(url);
    await changed(addNode({ url, onStep: sayTo(terminal) }, { port, ...address }));
    await printNodes(await describeCluster((await context.openDatabase()).pool), terminal);
    terminal.say('takt: takt cluster rebalance moves companies to it');
  });
}

async function rebalance(terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    await changed(rebalanceCluster({ url: await urlOf(context) }));
    await printNodes(await describeCluster((await context.openDatabase()).pool), terminal);
  });
}

async function move(company: string, address: AddressOption, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const url = await urlOf(context);
    const { port } = addressIn(url);
    const moved = await changed(moveCompany({ url }, company, { port, ...address }));
    await terminal.print(moved.length === 0 ? `${company} is there already` : `moved ${moved.join(', ')}`);
  });
}

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const nodes = await describeCluster((await context.openDatabase()).pool);
    if (nodes.length === 0) {
      throw new CommandError('the database is no cluster: takt cluster init makes it one');
    }
    if (asJson) return terminal.print(JSON.stringify(nodes));
    await printNodes(nodes, terminal);
  });
}

async function printNodes(nodes: readonly ClusterNode[], terminal: Terminal): Promise<void> {
  for (const line of formatTable(COLUMNS, nodes, { width: terminal.columns })) await terminal.print(line);
}

async function urlOf(context: Context): Promise<string> {
  if (context.isEmbedded) {
    throw new CommandError('the embedded database has no Citus: set DATABASE_URL to a server that has it');
  }
  return context.databaseUrl();
}

function sayTo(terminal: Terminal): (step: string) => void {
  return (step) => terminal.say(`takt: ${step}`);
}

async function changed<Result>(work: Promise<Result>): Promise<Result> {
  return withAdvice(
    'database',
    work.catch((error: unknown) => {
      throw error instanceof ClusterError ? new CommandError(error.message) : error;
    }),
  );
}

function addressOf({ host, port }: NodeAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function addressIn(url: string): NodeAddress {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: port === '' ? DEFAULT_PORT : Number(port) };
}

function nodes(text: string): readonly AddressOption[] {
  return text.split(',').map(node);
}

function node(text: string): AddressOption {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:,/\s]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (host === '') throw new InvalidArgumentError('It must be HOST or HOST:PORT, as in db2.example:5432.');
  const bare = host.replace(/^\[|\]$/g, '');
  return port === undefined ? { host: bare } : { host: bare, port: Number(port) };
}
