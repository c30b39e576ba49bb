import { INVITATION_DAYS } from '@takt/access';
import { type Markup, Message } from '@takt/pages';
import { NewPassword, Note } from '../pages/parts.js';
import type { Words } from '../words.js';
import { RoleChoice } from './detail-pages.js';

interface AddPageProps {
  readonly base: string;
  readonly words: Words;
  readonly companies: readonly string[];
  readonly roles: readonly string[];
  /** The form that was refused; its values are shown again. */
  readonly form: URLSearchParams;
  readonly problem?: string | undefined;
}

const NAMES = [
  { name: 'firstName', label: 'firstName', type: 'text', isRequired: false },
  { name: 'name', label: 'lastName', type: 'text', isRequired: true },
  { name: 'email', label: 'email', type: 'email', isRequired: false },
] as const;

/** The form to add a person. The first ticked company is the default one. */
export function addPage({ base, words, companies, roles, form, problem }: AddPageProps): Markup {
  const { say } = words;
  const ticked = form.getAll('company');
  return (
    <>
      <p class="crumb">
        <a href={`${base}/access`}>{say('people')}</a>
      </p>
      <div class="title">
        <h1>{say('addPerson')}</h1>
      </div>
      <section class="card">
        <form class="correct" method="post" action={`${base}/access/add`}>
          {problem !== undefined && (
            <p class="status" role="alert">
              {problem}
            </p>
          )}
          <p class="field-row">
            {NAMES.map(({ name, label, type, isRequired }) => (
              <label>
                {say(label)}{' '}
                <input
                  type={type}
                  name={name}
                  value={form.get(name) ?? ''}
                  required={isRequired}
                  autocomplete="off"
                  spellcheck={false}
                />
              </label>
            ))}
          </p>
          <fieldset>
            <legend>{say('companies')}</legend>
            {companies.map((code) => (
              <label class="tick">
                <input
                  type="checkbox"
                  name="company"
                  value={code}
                  checked={ticked.includes(code) || companies.length === 1}
                />{' '}
                {code}
              </label>
            ))}
          </fieldset>
          <RoleChoice roles={roles} held={form.getAll('role')} words={words} />
          <button class="primary" type="submit">
            {say('addPerson')}
          </button>
          <Note>{say('inviteHint', String(INVITATION_DAYS))}</Note>
        </form>
      </section>
    </>
  );
}

interface InvitedPageProps {
  readonly base: string;
  readonly words: Words;
  readonly pid: number;
  readonly name: string;
  readonly address: string;
}

/** The address of an invitation, which is shown once. */
export function invitedPage({ base, words: { say }, pid, name, address }: InvitedPageProps): Markup {
  return (
    <>
      <p class="crumb">
        <a href={`${base}/access`}>{say('people')}</a>
      </p>
      <div class="title">
        <h1>{say('sendLink', name)}</h1>
      </div>
      <section class="card">
        <p>
          <code>{address}</code>
        </p>
        <Note>{say('linkShownOnce', String(INVITATION_DAYS))}</Note>
        <p>
          <a href={`${base}/access/person?id=${pid}`}>{name}</a>
        </p>
      </section>
    </>
  );
}

interface PasswordPageProps {
  readonly base: string;
  readonly words: Words;
  /** The invited person. */
  readonly name: string;
  readonly code: string;
  readonly problem?: string | undefined;
}

/** The page on which an invited person sets a password. */
export function passwordPage({ base, words: { say }, name, code, problem }: PasswordPageProps): Markup {
  return (
    <Message heading={say('setPassword')} problem={problem}>
      <p>{say('setPasswordIntro', name)}</p>
      <form class="sign-in" method="post" action={`${base}/invitation`}>
        <input type="hidden" name="code" value={code} />
        <NewPassword say={say} />
        <button type="submit">{say('setPassword')}</button>
      </form>
    </Message>
  );
}
