import type { RejectedEvent } from '@takt/database/rejected-events';
import type { Markup } from '@takt/pages';
import { Instant, Note } from '../pages/parts.js';

export interface EventPageProps {
  readonly id: string;
  /** All that share the id: one, mostly. */
  readonly events: readonly RejectedEvent[];
  readonly base: string;
  /** The parameters of the list that led here. */
  readonly back: string;
  readonly mayOperate: boolean;
  /** What was typed as a correction, and why it was not taken; each problem is a line of text. */
  readonly refused?: { readonly text: string; readonly problems: readonly string[] } | undefined;
}

/** The content of the page of one rejected event. */
export function eventPage(page: EventPageProps): Markup {
  const { id, events, base, back, mayOperate } = page;
  return (
    <>
      <p class="crumb">
        <a href={`${base}/rejected${back === '' ? '' : `?${back}`}`}>Rejected events</a>
      </p>
      <div class="title">
        <h1>{events[0]?.eventId ?? id}</h1>
      </div>
      {events.length > 1 && (
        <p class="alarm">
          {events.length} rejected events share this id, because their producer used a job id twice. They can
          be retried or discarded together, not corrected.
        </p>
      )}
      {events.map((event) => (
        <Facts {...event} />
      ))}
      {mayOperate ? <Changes {...page} /> : <Payloads events={events} />}
    </>
  );
}

function Facts(event: RejectedEvent): Markup {
  const rows: readonly (readonly [name: string, value: string | Markup])[] = [
    ['Type', event.type ?? 'none'],
    ['Source', event.source ?? 'none'],
    ['Published', <Instant ms={event.addedAtMs} />],
    ['Rejected', <Instant ms={event.rejectedAtMs} />],
    ['Deliveries', String(event.deliveries)],
    ['Kept in', event.isExported ? 'the database (takt.rejected_events)' : `the queue ${event.queue}`],
    ['Id', <code>{event.id}</code>],
  ];
  const problems = event.reason === '' ? ['No reason was given.'] : event.reason.split('; ');
  return (
    <>
      <section class="card">
        <h2>Why it was rejected</h2>
        <ul class="problems">
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>What is known of it</h2>
        <dl>
          {rows.map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function Payloads({ events }: Pick<EventPageProps, 'events'>): Markup {
  return (
    <>
      {events.map(({ event }) => (
        <section class="card">
          <h2>Payload</h2>
          <pre tabindex={0}>{prettyJson(event)}</pre>
        </section>
      ))}
      <Note>
        To correct, retry or discard it needs the duty <code>operate-queues</code>.
      </Note>
    </>
  );
}

/** The two ways on for an event as it is. */
function Changes(page: EventPageProps): Markup {
  const { events, base } = page;
  return (
    <>
      {events.length === 1 ? (
        <section class="card">
          <h2>Correct it</h2>
          <Correction {...page} />
        </section>
      ) : (
        <Payloads events={events} />
      )}
      <section class="card">
        <h2>Or, as it is</h2>
        <div class="actions">
          <form method="post" action={`${base}/rejected/retry`}>
            <Identity {...page} />
            <button type="submit">Retry</button>
            <Note>Once what it needs is there, such as its company.</Note>
          </form>
          <form method="post" action={`${base}/rejected/discard`}>
            <Identity {...page} />
            <button class="danger" type="submit">
              Discard
            </button>
            <Note>It is gone for good, and counts nowhere.</Note>
          </form>
        </div>
      </section>
    </>
  );
}

/** Which event a form is about, and where it leads back to. */
function Identity({ id, back }: EventPageProps): Markup {
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="back" value={back} />
    </>
  );
}

function Correction(page: EventPageProps): Markup {
  const { events, base, refused } = page;
  const text = refused?.text ?? prettyJson(events[0]?.event ?? null);
  return (
    <form class="correct" method="post" action={`${base}/rejected/correct`}>
      <Identity {...page} />
      {refused !== undefined && (
        <div class="refusal" id="problems" role="alert">
          <p>It was not sent, because it would be rejected again:</p>
          <ul>
            {refused.problems.map((problem) => (
              <li>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <label for="event">Payload, as JSON</label>
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
        {/* A browser leaves a first line break out. */}
        {`\n${text}`}
      </textarea>
      <button class="primary" type="submit">
        Correct and retry
      </button>
    </form>
  );
}

function prettyJson(event: unknown): string {
  return JSON.stringify(event, null, 2) ?? 'null';
}
