import type { AccessTokenSummary, ApiClientSummary, UserSummary } from '@takt/access';
import type { Markup, WithChildren } from '@takt/pages';
import { Ago, Instant, Note, Notice, Prose, TabbedTitle, WideTable } from '../pages/parts.js';
import type { DashboardText, Words } from '../words.js';

export const KINDS = {
  person: { path: '/access', title: 'people' },
  client: { path: '/access/clients', title: 'clients' },
  token: { path: '/access/tokens', title: 'tokens' },
} as const;
export type AccessKind = keyof typeof KINDS;

export interface AccessPageContext {
  readonly base: string;
  readonly words: Words;
  readonly notice: string | undefined;
}

interface FrameProps extends AccessPageContext, WithChildren {
  readonly title: DashboardText;
}

const TABS = [...Object.values(KINDS), { path: '/access/audit-log', title: 'auditLog' }] as const;

/** The heading and the tabs of a list. */
export function AccessFrame({ title, base, words: { say }, notice, children }: FrameProps): Markup {
  return (
    <>
      <TabbedTitle heading={say('access')} tabs={TABS} current={title} base={base} say={say} />
      <Notice text={notice} />
      <div class="results">{children}</div>
    </>
  );
}

function Intro({ text }: { readonly text: string }): Markup {
  return (
    <p class="intro">
      <Prose text={text} />
    </p>
  );
}

/** Returns the names separated by commas, or a dash if there are none. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.join(', ');
}

export function stateOf({ disabledAt }: { readonly disabledAt: Date | null }, { say }: Words): string {
  return say(disabledAt === null ? 'stateActive' : 'stateDisabled');
}

export const nameOf = ({ firstName, name }: UserSummary): string =>
  firstName === null ? name : `${firstName} ${name}`;

export interface PeoplePageProps extends AccessPageContext {
  readonly people: readonly UserSummary[];
}

export function peoplePage({ people, ...context }: PeoplePageProps): Markup {
  const { base, words } = context;
  const { say } = words;
  const columns = [
    'PID',
    say('name'),
    say('email'),
    say('companies'),
    say('roles'),
    say('duties'),
    say('state'),
  ];
  return (
    <AccessFrame title="people" {...context}>
      <Intro text={say('peopleIntro')} />
      <p>
        <a href={`${base}/access/add`}>{say('addPerson')}</a>
      </p>
      <WideTable name={say('people')} columns={columns} words={words}>
        {people.map((person) => (
          <tr>
            <td>{String(person.pid)}</td>
            <th scope="row">
              <a href={`${base}/access/person?id=${person.pid}`}>{nameOf(person)}</a>
            </th>
            <td>{person.email ?? '–'}</td>
            <td>{listed(person.companyCodes)}</td>
            <td>{listed(person.roles)}</td>
            <td>{listed(person.duties)}</td>
            <td>{stateOf(person, words)}</td>
          </tr>
        ))}
      </WideTable>
    </AccessFrame>
  );
}

export function clientsPage({
  clients,
  ...context
}: AccessPageContext & { readonly clients: readonly ApiClientSummary[] }): Markup {
  const { base, words } = context;
  const { say } = words;
  const columns = [say('id'), say('name'), say('companies'), say('permissions'), say('state')];
  return (
    <AccessFrame title="clients" {...context}>
      <Intro text={say('clientsIntro')} />
      {clients.length === 0 ? (
        <p class="nothing">{say('noneThere')}</p>
      ) : (
        <WideTable name={say('clients')} columns={columns} words={words}>
          {clients.map((client) => (
            <tr>
              <td>{String(client.clientId)}</td>
              <th scope="row">
                <a href={`${base}/access/client?id=${client.clientId}`}>{client.name}</a>
              </th>
              <td>{listed(client.companyCodes)}</td>
              <td>{listed(client.permissions)}</td>
              <td>{stateOf(client, words)}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </AccessFrame>
  );
}

export function tokensPage({
  tokens,
  count,
  ...context
}: AccessPageContext & { readonly tokens: readonly AccessTokenSummary[]; readonly count: number }): Markup {
  const { base, words } = context;
  const { say, number } = words;
  const columns = [
    say('id'),
    say('description'),
    say('kind'),
    say('companies'),
    'PID',
    say('client'),
    say('expires'),
    say('lastUse'),
  ];
  return (
    <AccessFrame title="tokens" {...context}>
      <Intro text={say('tokensIntro')} />
      {count > tokens.length && <Note>{say('onlyNewestOf', number(tokens.length), number(count))}</Note>}
      <WideTable name={say('tokens')} columns={columns} words={words}>
        {tokens.map((token) => (
          <tr>
            <th scope="row">
              <a href={`${base}/access/token?id=${token.tokenId}`}>{String(token.tokenId)}</a>
            </th>
            <td class="reason">{token.description ?? '–'}</td>
            <td>{token.kind}</td>
            <td>{listed(token.companyCodes)}</td>
            <td>{String(token.pid ?? '–')}</td>
            <td>{String(token.clientId ?? '–')}</td>
            <td>
              <Instant ms={token.expiresAt.getTime()} />
            </td>
            <td>{token.lastUsedAt === null ? '–' : <Ago ms={token.lastUsedAt.getTime()} words={words} />}</td>
          </tr>
        ))}
      </WideTable>
    </AccessFrame>
  );
}
