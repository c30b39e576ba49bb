import type { RejectedEvent } from '@takt/database/rejected-events';
import type { Markup } from '@takt/pages';
import { Facts, Instant, Note, Prose } from '../pages/parts.js';
import type { Words } from '../words.js';

interface EventPageProps {
  readonly id: string;
  /** All events that have the id. Usually there is one. */
  readonly events: readonly RejectedEvent[];
  readonly base: string;
  readonly words: Words;
  /** Query parameters of the list from which the person came. */
  readonly back: string;
  readonly mayOperate: boolean;
  /** The text of a correction that was refused, with its problems, one per line. */
  readonly refused?: { readonly text: string; readonly problems: readonly string[] } | undefined;
}

export function eventPage(page: EventPageProps): Markup {
  const { id, events, base, back, mayOperate, words } = page;
  return (
    <>
      <p class="crumb">
        <a href={`${base}/rejected${back === '' ? '' : `?${back}`}`}>{words.say('rejectedEvents')}</a>
      </p>
      <div class="title">
        <h1>{events[0]?.eventId ?? id}</h1>
      </div>
      {events.length > 1 && <p class="notice">{words.say('sharedId', words.number(events.length))}</p>}
      {events.map((event) => (
        <Known event={event} words={words} />
      ))}
      {mayOperate ? <Changes {...page} /> : <Payloads {...page} />}
    </>
  );
}

function Known({
  event,
  words: { say },
}: Pick<EventPageProps, 'words'> & { readonly event: RejectedEvent }): Markup {
  const rows: readonly (readonly [name: string, value: string | Markup])[] = [
    [say('type'), event.type ?? say('noValue')],
    [say('source'), event.source ?? say('noValue')],
    [say('published'), <Instant ms={event.addedAtMs} />],
    [say('rejected'), <Instant ms={event.rejectedAtMs} />],
    [say('deliveries'), String(event.deliveries)],
    [say('keptIn'), event.isExported ? say('inDatabase') : say('inQueue', event.queue)],
    [say('id'), <code>{event.id}</code>],
  ];
  const problems = event.reason === '' ? [say('noReason')] : event.reason.split('; ');
  return (
    <>
      <section class="card">
        <h2>{say('whyRejected')}</h2>
        <ul class="problems">
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>{say('facts')}</h2>
        <Facts rows={rows} />
      </section>
    </>
  );
}

function Payloads({ events, words: { say } }: Pick<EventPageProps, 'events' | 'words'>): Markup {
  return (
    <>
      {events.map(({ event }) => (
        <section class="card">
          <h2>{say('payload')}</h2>
          <pre tabindex={0}>{prettyJson(event)}</pre>
        </section>
      ))}
      <Note>
        <Prose text={say('changeNeedsDuty')} />
      </Note>
    </>
  );
}

/** The actions that can be applied to the event as it is. */
function Changes(page: EventPageProps): Markup {
  const {
    events,
    base,
    words: { say },
  } = page;
  return (
    <>
      {events.length === 1 ? (
        <section class="card">
          <h2>{say('correctIt')}</h2>
          <Correction {...page} />
        </section>
      ) : (
        <Payloads {...page} />
      )}
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

/** Hidden fields that identify the event and the list to return to. */
function Identity({ id, back }: EventPageProps): Markup {
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="back" value={back} />
    </>
  );
}

function Correction(page: EventPageProps): Markup {
  const {
    events,
    base,
    refused,
    words: { say },
  } = page;
  const text = refused?.text ?? prettyJson(events[0]?.event ?? null);
  return (
    <form class="correct" method="post" action={`${base}/rejected/correct`}>
      <Identity {...page} />
      {refused !== undefined && (
        <div class="refusal" id="problems" role="alert">
          <p>{say('notSent')}</p>
          <ul>
            {refused.problems.map((problem) => (
              <li>{problem}</li>
            ))}
          </ul>
        </div>
      )}
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
