import {
  type AccessChange,
  type AccessTokenSummary,
  type ApiClientSummary,
  INVITATION_DAYS,
  type UserSummary,
} from '@takt/access';
import type { Markup, WithChildren } from '@takt/pages';
import { Facts, Instant, Note, Notice } from '../pages/parts.js';
import type { DashboardText, Words } from '../words.js';
import { type AccessKind, type AccessPageContext, KINDS, listed, nameOf, stateOf } from './list-pages.js';

interface DetailProps extends AccessPageContext, WithChildren {
  readonly kind: AccessKind;
  readonly heading: string;
  readonly facts: readonly (readonly [string, string | Markup])[];
}

/** Shows a person, a client or a token, with the forms to change it. */
function Detail({ kind, heading, facts, base, words: { say }, notice, children }: DetailProps): Markup {
  const { path, title } = KINDS[kind];
  return (
    <>
      <p class="crumb">
        <a href={`${base}${path}`}>{say(title)}</a>
      </p>
      <div class="title">
        <h1>{heading}</h1>
      </div>
      <Notice text={notice} />
      <section class="card">
        <Facts rows={facts} />
      </section>
      {children}
    </>
  );
}

interface ChangeFormProps extends Pick<AccessPageContext, 'base'>, WithChildren {
  readonly change: AccessChange['kind'];
  readonly id: number;
}

function ChangeForm({ change, id, base, children }: ChangeFormProps): Markup {
  return (
    <section class="card">
      <form class="correct" method="post" action={`${base}/access/change`}>
        <input type="hidden" name="change" value={change} />
        <input type="hidden" name="id" value={String(id)} />
        {children}
      </form>
    </section>
  );
}

interface SwitchProps extends AccessPageContext {
  readonly kind: 'person' | 'client';
  readonly id: number;
  readonly isDisabled: boolean;
}

/** The button that disables or enables a person, client or token. */
function Switch({ kind, id, isDisabled, base, words: { say } }: SwitchProps): Markup {
  const change = isDisabled ? 'enable' : 'disable';
  return (
    <ChangeForm change={`${change}-${kind}`} id={id} base={base}>
      <button class={isDisabled ? 'primary' : 'danger'} type="submit">
        {say(change)}
      </button>
      <Note>{say(`${change}${kind === 'person' ? 'Person' : 'Client'}Hint`)}</Note>
    </ChangeForm>
  );
}

interface PersonPageProps extends AccessPageContext {
  readonly person: UserSummary;
  /** Codes of the companies that are registered. */
  readonly companies: readonly string[];
  readonly roles: readonly string[];
}

export function personPage({ person, companies, roles, ...context }: PersonPageProps): Markup {
  const { words } = context;
  const { say } = words;
  const facts: DetailProps['facts'] = [
    [say('pid'), String(person.pid)],
    [say('email'), person.email ?? '–'],
    [say('state'), stateOf(person, words)],
    [say('companies'), listed(person.companyCodes)],
    [say('roles'), listed(person.roles)],
    [say('duties'), listed(person.heldDuties)],
    [say('created'), <Instant ms={person.createdAt.getTime()} />],
  ];
  const isDisabled = person.disabledAt !== null;
  return (
    <Detail kind="person" heading={nameOf(person)} facts={facts} {...context}>
      <Companies person={person} companies={companies} {...context} />
      <Roles person={person} roles={roles} {...context} />
      <Email person={person} {...context} />
      <Invite person={person} {...context} />
      <Switch kind="person" id={person.pid} isDisabled={isDisabled} {...context} />
    </Detail>
  );
}

/**
 * The form for the companies of a person. The companies that the person has are ticked, and the first of them is the
 * default company.
 */
function Companies({
  person,
  companies,
  base,
  words: { say },
}: AccessPageContext & { readonly person: UserSummary; readonly companies: readonly string[] }): Markup {
  const { companyCodes } = person;
  // A disabled company that the person still has remains in the choice until it is removed.
  const all = [...new Set([...companies, ...companyCodes])].sort();
  return (
    <ChangeForm change="set-person-companies" id={person.pid} base={base}>
      <fieldset>
        <legend>{say('companies')}</legend>
        {all.map((code) => (
          <label class="tick">
            <input type="checkbox" name="company" value={code} checked={companyCodes.includes(code)} /> {code}
          </label>
        ))}
      </fieldset>
      <p class="field-row">
        <label>
          {say('defaultCompany')}{' '}
          <select name="default">
            {all.map((code) => (
              <option value={code} selected={code === companyCodes[0]}>
                {code}
              </option>
            ))}
          </select>
        </label>
      </p>
      <button class="primary" type="submit">
        {say('saveCompanies')}
      </button>
      <Note>{say('companiesHint')}</Note>
    </ChangeForm>
  );
}

function Roles({
  person,
  roles,
  base,
  words,
}: AccessPageContext & Pick<PersonPageProps, 'person' | 'roles'>): Markup {
  const { say } = words;
  return (
    <ChangeForm change="set-person-roles" id={person.pid} base={base}>
      <RoleChoice roles={roles} held={person.roles} words={words} />
      <button class="primary" type="submit">
        {say('saveRoles')}
      </button>
      <Note>{say('rolesHint')}</Note>
    </ChangeForm>
  );
}

interface RoleChoiceProps {
  readonly roles: readonly string[];
  readonly held: readonly string[];
  readonly words: Words;
}

/** The roles as boxes to tick, each with what it allows. */
export function RoleChoice({ roles, held, words: { say } }: RoleChoiceProps): Markup {
  const all = [...new Set([...roles, ...held])];
  return (
    <fieldset>
      <legend>{say('roles')}</legend>
      {all.map((role) => {
        const text = ROLE_TEXTS[role];
        return (
          <label class="tick">
            <input type="checkbox" name="role" value={role} checked={held.includes(role)} /> {role}
            {text !== undefined && <span class="note">{say(text)}</span>}
          </label>
        );
      })}
    </fieldset>
  );
}

/** The texts that say what a role allows. Roles that an installation added have only their name. */
const ROLE_TEXTS: Readonly<Record<string, DashboardText>> = {
  planner: 'rolePlanner',
  operator: 'roleOperator',
  'system-operator': 'roleSystemOperator',
  administrator: 'roleAdministrator',
  integrator: 'roleIntegrator',
};

function Email({
  person,
  base,
  words: { say },
}: AccessPageContext & Pick<PersonPageProps, 'person'>): Markup {
  return (
    <ChangeForm change="set-person-email" id={person.pid} base={base}>
      <p class="field-row">
        <label>
          {say('email')}{' '}
          <input type="email" name="email" value={person.email ?? ''} autocomplete="off" spellcheck={false} />
        </label>
      </p>
      <button class="primary" type="submit">
        {say('saveEmail')}
      </button>
    </ChangeForm>
  );
}

function Invite({
  person,
  base,
  words: { say },
}: AccessPageContext & Pick<PersonPageProps, 'person'>): Markup {
  return (
    <section class="card">
      <form class="correct" method="post" action={`${base}/access/invite`}>
        <input type="hidden" name="id" value={String(person.pid)} />
        <button type="submit">{say('invite')}</button>
        <Note>{say('inviteHint', String(INVITATION_DAYS))}</Note>
      </form>
    </section>
  );
}

export function clientPage({
  client,
  ...context
}: AccessPageContext & { readonly client: ApiClientSummary }): Markup {
  const { words } = context;
  const { say } = words;
  const facts: DetailProps['facts'] = [
    [say('id'), String(client.clientId)],
    [say('state'), stateOf(client, words)],
    [say('companies'), listed(client.companyCodes)],
    [say('permissions'), listed(client.permissions)],
    [say('roles'), listed(client.roles)],
    [say('duties'), listed(client.duties)],
    [say('created'), <Instant ms={client.createdAt.getTime()} />],
  ];
  const isDisabled = client.disabledAt !== null;
  return (
    <Detail kind="client" heading={client.name} facts={facts} {...context}>
      <Switch kind="client" id={client.clientId} isDisabled={isDisabled} {...context} />
    </Detail>
  );
}

export function tokenPage({
  token,
  ...context
}: AccessPageContext & { readonly token: AccessTokenSummary }): Markup {
  const { base, words } = context;
  const { say } = words;
  const facts: DetailProps['facts'] = [
    [say('description'), token.description ?? '–'],
    [say('kind'), token.kind],
    [say('state'), token.state],
    [say('companies'), listed(token.companyCodes)],
    [
      say('person'),
      token.pid === null ? '–' : <a href={`${base}/access/person?id=${token.pid}`}>{token.pid}</a>,
    ],
    [
      say('client'),
      token.clientId === null ? (
        '–'
      ) : (
        <a href={`${base}/access/client?id=${token.clientId}`}>{token.clientId}</a>
      ),
    ],
    [say('created'), <Instant ms={token.createdAt.getTime()} />],
    [say('expires'), <Instant ms={token.expiresAt.getTime()} />],
  ];
  return (
    <Detail kind="token" heading={`${say('token')} ${token.tokenId}`} facts={facts} {...context}>
      {token.state === 'valid' && (
        <ChangeForm change="revoke-token" id={token.tokenId} base={base}>
          <button class="danger" type="submit">
            {say('revoke')}
          </button>
          <Note>{say('revokeHint')}</Note>
        </ChangeForm>
      )}
    </Detail>
  );
}
