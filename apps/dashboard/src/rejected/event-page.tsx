import type { Markup } from '@takt/pages';
import type { Rejection } from '@takt/rejections';
import { Facts, Instant, Note, Prose } from '../pages/parts.js';
import type { Words } from '../words.js';
import { type FormField, formFieldsOf, nameOf } from './correction-fields.js';
import { FiguresLink, figuresOf } from './figures-link.js';
import { describeProblems } from './reader.js';

interface EventPageProps {
  /** The event with what the person may read of it. */
  readonly rejection: Rejection;
  /** The data of the event as the person may read them. */
  readonly shown: unknown;
  /** True if the event can be corrected by its fields, and not only as text. */
  readonly isForm: boolean;
  readonly base: string;
  readonly apiUrl: string;
  readonly words: Words;
  /** Query parameters of the list from which the person came. */
  readonly back: string;
  readonly mayOperate: boolean;
  /** A correction that was refused, with its problems, one per line. */
  readonly refused?: { readonly form: URLSearchParams; readonly problems: readonly string[] } | undefined;
}

export function eventPage(page: EventPageProps): Markup {
  const { rejection, base, back, mayOperate, words } = page;
  return (
    <>
      <p class="crumb">
        <a href={`${base}/rejected${back === '' ? '' : `?${back}`}`}>{words.say('rejectedEvents')}</a>
      </p>
      <div class="title">
        <h1>{rejection.eventId ?? String(rejection.id)}</h1>
      </div>
      <Known {...page} />
      {mayOperate ? <Changes {...page} /> : <Payload {...page} />}
    </>
  );
}

function Known({ rejection, shown, apiUrl, words }: EventPageProps): Markup {
  const { say, number } = words;
  const { type, source, company, queue, firstAt, lastAt, times, id, reason } = rejection;
  const rows: readonly (readonly [name: string, value: string | Markup])[] = [
    [say('type'), type ?? say('noValue')],
    [say('company'), company ?? say('noValue')],
    [say('source'), source ?? say('noValue')],
    [say('queue'), queue],
    [say('rejected'), <Instant ms={lastAt.getTime()} />],
    [say('firstRejected'), <Instant ms={firstAt.getTime()} />],
    [say('timesRejected'), number(times)],
    [say('id'), <code>{String(id)}</code>],
  ];
  const figures = figuresOf(shown);
  return (
    <>
      <section class="card">
        <h2>{say('whyRejected')}</h2>
        <ul class="problems">
          {reason.split('; ').map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>{say('facts')}</h2>
        <Facts rows={rows} />
        {figures !== undefined && (
          <p>
            <FiguresLink figures={figures} apiUrl={apiUrl} words={words} />
          </p>
        )}
      </section>
    </>
  );
}

function Payload({ shown, words: { say } }: EventPageProps): Markup {
  return (
    <>
      <section class="card">
        <h2>{say('payload')}</h2>
        <pre tabindex={0}>{prettyJson(shown)}</pre>
      </section>
      <Note>
        <Prose text={say('changeNeedsDuty')} />
      </Note>
    </>
  );
}

function Changes(page: EventPageProps): Markup {
  const {
    base,
    isForm,
    refused,
    words: { say },
  } = page;
  const isText = refused?.form.has('event') === true;
  return (
    <>
      <section class="card">
        <h2>{say('correctIt')}</h2>
        {refused !== undefined && <Refusal problems={refused.problems} words={page.words} />}
        {isForm ? (
          <>
            <FieldsForm {...page} />
            <details open={isText}>
              <summary>{say('asText')}</summary>
              <TextForm {...page} />
            </details>
          </>
        ) : (
          <TextForm {...page} />
        )}
      </section>
      <section class="card">
        <h2>{say('asItIs')}</h2>
        <div class="actions">
          <form method="post" action={`${base}/rejected/retry`}>
            <Identity {...page} />
            <button type="submit">{say('retry')}</button>
            <Note>{say('retryHint')}</Note>
          </form>
          <form method="post" action={`${base}/rejected/discard`}>
            <Identity {...page} />
            <button class="danger" type="submit">
              {say('discard')}
            </button>
            <Note>{say('discardHint')}</Note>
          </form>
        </div>
      </section>
    </>
  );
}

function Refusal({
  problems,
  words: { say },
}: {
  readonly problems: readonly string[];
  readonly words: Words;
}): Markup {
  return (
    <div class="refusal" id="problems" role="alert">
      <p>{say('notSent')}</p>
      <ul>
        {problems.map((problem) => (
          <li>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

/** Hidden fields that identify the event and the list to return to. */
function Identity({ rejection, back }: EventPageProps): Markup {
  return (
    <>
      <input type="hidden" name="id" value={String(rejection.id)} />
      <input type="hidden" name="back" value={back} />
    </>
  );
}

/** The form with a field for each field of the event's type. The first one that breaks a rule has the focus. */
function FieldsForm(page: EventPageProps): Markup {
  const { rejection, shown, base, words } = page;
  const broken = new Set((rejection.problems ?? []).map(({ field }) => field));
  const fields = formFieldsOf(shown);
  const first = fields.find(({ path }) => broken.has(path));
  return (
    <form class="correct" method="post" action={`${base}/rejected/correct`}>
      <Identity {...page} />
      {fields.map((field) => (
        <Field {...page} field={field} isBroken={broken.has(field.path)} hasFocus={field === first} />
      ))}
      <button class="primary" type="submit">
        {words.say('correctAndRetry')}
      </button>
    </form>
  );
}

interface FieldProps extends EventPageProps {
  readonly field: FormField;
  readonly isBroken: boolean;
  readonly hasFocus: boolean;
}

function Field({ field, isBroken, hasFocus, refused, words }: FieldProps): Markup {
  const { path, rule, text, isFixed } = field;
  const id = `field-${path.replaceAll('.', '-')}`;
  return (
    <p class="field">
      <label for={id}>
        <code>{path}</code>
      </label>
      <input
        type="text"
        id={id}
        name={isFixed ? undefined : nameOf(path)}
        value={refused?.form.get(nameOf(path)) ?? text}
        disabled={isFixed}
        autofocus={hasFocus}
        aria-invalid={isBroken ? 'true' : undefined}
        aria-describedby={`${id}-rule`}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
      />
      <span class="note" id={`${id}-rule`}>
        {describeProblems([{ field: path, rule, got: '' }], words, false).slice(path.length + 1)}
      </span>
    </p>
  );
}

function TextForm(page: EventPageProps): Markup {
  const {
    shown,
    base,
    refused,
    words: { say },
  } = page;
  const text = refused?.form.get('event') ?? prettyJson(shown);
  return (
    <form class="correct" method="post" action={`${base}/rejected/correct`}>
      <Identity {...page} />
      <label for="event">{say('payloadAsJson')}</label>
      <textarea
        id="event"
        name="event"
        rows={Math.min(40, Math.max(12, text.split('\n').length + 1))}
        required
        spellcheck={false}
        autocapitalize="none"
        aria-describedby={refused && 'problems'}
        aria-invalid={refused && 'true'}
      >
        {/* A line break is added because a browser drops one at the start of a textarea. */}
        {`\n${text}`}
      </textarea>
      <button class="primary" type="submit">
        {say('correctAndRetry')}
      </button>
    </form>
  );
}

function prettyJson(event: unknown): string {
  return JSON.stringify(event, null, 2) ?? 'null';
}
