import type { Markup } from '@takt/pages';
import type { Rejection } from '@takt/rejections';
import { Ago, Notice, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
import { UndoForm } from './bulk-pages.js';

interface ResolvedEvent extends Rejection {
  /** False for a correction that a worker has taken. */
  readonly canUndo: boolean;
}

interface ResolvedList {
  /** The resolved events that the person may see, newest first. */
  readonly events: readonly ResolvedEvent[];
  /** Id of the run to which the list is restricted; empty if all events are shown. */
  readonly run: string;
  /** The place from which the next page continues; undefined on the last page. */
  readonly nextPlace: string | undefined;
  readonly base: string;
  readonly words: Words;
  readonly mayOperate: boolean;
  readonly notice: string | undefined;
}

/** Returns the content of the page of discards and corrections. */
export function resolvedPage(list: ResolvedList): Markup {
  const { events, run, nextPlace, base, words, notice } = list;
  const { say } = words;
  const older = new URLSearchParams({ ...(run !== '' && { run }), before: nextPlace ?? '' });
  return (
    <>
      <p class="crumb">
        <a href={`${base}/rejected`}>{say('rejectedEvents')}</a>
      </p>
      <div class="title">
        <h1>{say('resolvedEvents')}</h1>
      </div>
      <Notice text={notice} />
      <p class="intro">{say('resolvedIntro')}</p>
      {run !== '' && events.some(({ canUndo }) => canUndo) && (
        <div class="actions">
          <UndoForm
            name="run"
            value={run}
            isCorrection={events[0]?.state === 'corrected'}
            base={base}
            words={words}
          />
        </div>
      )}
      <div class="results">
        {events.length === 0 ? <p class="nothing">{say('nothingResolved')}</p> : <Events {...list} />}
      </div>
      <p>
        {run !== '' && <a href={`${base}/rejected/resolved`}>{say('showAll')}</a>}{' '}
        {nextPlace !== undefined && <a href={`${base}/rejected/resolved?${older}`}>{say('older')}</a>}
      </p>
    </>
  );
}

function Events({ events, run, base, words, mayOperate }: ResolvedList): Markup {
  const { say } = words;
  const columns = [
    say('event'),
    say('state'),
    say('by'),
    say('when'),
    say('reason'),
    ...(mayOperate ? [say('undo')] : []),
  ];
  return (
    <WideTable name={say('resolvedEvents')} columns={columns} words={words}>
      {events.map((event) => (
        <tr>
          <th scope="row">
            {event.eventId ?? event.id} <span class="note">{event.source ?? ''}</span>
          </th>
          <td>
            {say(event.state === 'corrected' ? 'stateCorrected' : 'stateDiscarded')}
            {event.run !== null && run === '' && (
              <>
                {' '}
                <a href={`${base}/rejected/resolved?run=${encodeURIComponent(event.run)}`}>
                  {say('inOneRun')}
                </a>
              </>
            )}
          </td>
          <td>{event.resolvedBy}</td>
          <td>
            <Ago ms={event.resolvedAt?.getTime() ?? Number.NaN} words={words} />
          </td>
          <td class="reason">{event.reason}</td>
          {mayOperate && (
            <td>
              {event.canUndo && (
                <UndoForm
                  name="resolved"
                  value={String(event.id)}
                  isCorrection={event.state === 'corrected'}
                  base={base}
                  words={words}
                />
              )}
            </td>
          )}
        </tr>
      ))}
    </WideTable>
  );
}
