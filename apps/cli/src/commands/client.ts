import {
  type ApiClientSummary,
  changeClientDuties,
  changeClientPermissions,
  createApiClient,
  disableApiClient,
  enableApiClient,
  listApiClients,
  renewClientSecret,
} from '@takt/access/administration';
import type { Command } from 'commander';
import { explainErrors, listed, onDatabase } from '../access-changes.js';
import { withContext } from '../context.js';
import { companyCodes, identifier, several } from '../parse-option.js';
import { printList } from '../print-list.js';
import type { Column } from '../table.js';

import type { Terminal } from '../terminal.js';

interface AddOptions {
  readonly database?: readonly string[];
  readonly redirect?: readonly string[];
  readonly public?: boolean;
  readonly role?: readonly string[];
}

const REMOVE = 'take these away instead';
const ID = 'as takt client list prints it';

const HELP = `
A client is a program. takt client add prints its id and secret, takt client permit gives it resources, or publish-events; then it gets
tokens at /oauth2/access_token of the API. For a program without a secret of its own, takt token create makes a token.
Administrators list and disable clients on the dashboard (Access). takt audit-log shows who changed what.`;

export function addCommand(client: Command, terminal: Terminal): void {
  client.addHelpText('after', HELP);
  client
    .command('add')
    .description('register a client; prints its id, and its secret once')
    .argument('<name>')
    .option(
      '--database <codes>',
      'its companies, as in TEM-NO,TEM-SE; without them it acts only for people who sign in, in their companies',
      companyCodes,
    )
    .option(
      '--redirect <uri>',
      'a URI to which a sign-in may send its code; may be given several times',
      several,
    )
    .option('--public', 'a program that cannot keep a secret, such as one in a browser')
    .option('--role <role>', 'a role for when it acts for itself; may be given several times', several)
    .action((name: string, options: AddOptions) => add(name, options, terminal));
  client
    .command('list')
    .description('list the clients')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
  client
    .command('permit')
    .description('permit a client resources, or publish-events; prints all its permissions')
    .argument('<id>', ID, identifier)
    .argument('<resource...>')
    .option('--remove', REMOVE)
    .action((id: number, names: readonly string[], { remove }: { readonly remove?: boolean }) =>
      onDatabase(terminal, async (database) => {
        const change = remove === true ? { remove: names } : { add: names };
        return `client ${id} is permitted: ${listed(await changeClientPermissions(database, id, change))}`;
      }),
    );
  client
    .command('duty')
    .description('give duties to a client that acts for itself; prints its duties besides those of its roles')
    .argument('<id>', ID, identifier)
    .argument('<duty...>')
    .option('--remove', REMOVE)
    .action((id: number, names: readonly string[], { remove }: { readonly remove?: boolean }) =>
      onDatabase(terminal, async (database) => {
        const change = remove === true ? { remove: names } : { add: names };
        return `client ${id} has the duties: ${listed(await changeClientDuties(database, id, change))}`;
      }),
    );
  addEndings(client, terminal);
}

function addEndings(client: Command, terminal: Terminal): void {
  client
    .command('secret')
    .description('give a client a new secret and print it; the old one ends at once')
    .argument('<id>', ID, identifier)
    .action((id: number) => onDatabase(terminal, (database) => renewClientSecret(database, id)));
  client
    .command('disable')
    .description('disable a client and all its tokens, within 5 s everywhere; prints: disabled')
    .argument('<id>', ID, identifier)
    .action((id: number) =>
      onDatabase(terminal, async (database) => {
        await disableApiClient(database, id);
        return 'disabled';
      }),
    );
  client
    .command('enable')
    .description('enable a disabled client; its earlier tokens stay ended; prints: enabled')
    .argument('<id>', ID, identifier)
    .action((id: number) =>
      onDatabase(terminal, async (database) => {
        await enableApiClient(database, id);
        return 'enabled';
      }),
    );
}

async function add(name: string, options: AddOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { clientId, secret } = await explainErrors(
      createApiClient(await context.openDatabase(), {
        name,
        companyCodes: options.database ?? [],
        redirectUris: options.redirect ?? [],
        isPublic: options.public === true,
        roles: options.role ?? [],
      }),
    );
    await terminal.print(`client ${clientId}`);
    if (secret !== undefined) await terminal.print(`secret ${secret}`);
    terminal.say(`takt: it has no permission yet: takt client permit ${clientId} RESOURCE...`);
  });
}

const COLUMNS: readonly Column<ApiClientSummary>[] = [
  { title: 'ID', value: ({ clientId }) => String(clientId), isNumber: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'KIND', value: ({ isPublic }) => (isPublic ? 'public' : 'secret') },
  { title: 'STATE', value: ({ disabledAt }) => (disabledAt === null ? 'active' : 'disabled') },
  { title: 'COMPANIES', value: ({ companyCodes: codes }) => codes.join(',') },
  { title: 'ROLES', value: ({ roles }) => roles.join(',') },
  { title: 'DUTIES', value: ({ duties }) => duties.join(',') },
  { title: 'PERMISSIONS', value: ({ permissions }) => permissions.join(',') },
];

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const clients = await listApiClients(await context.openDatabase());
    await printList(
      clients,
      { columns: COLUMNS, asJson, whenEmpty: 'takt: there is no client: takt client add NAME registers one' },
      terminal,
    );
  });
}
