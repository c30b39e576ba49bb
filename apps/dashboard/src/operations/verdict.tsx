import { describeAlarm, type KnownAlarm, MAX_ACKNOWLEDGEMENT } from '@takt/alarms';
import type { Markup } from '@takt/pages';
import { Ago, instantOf, Prose } from '../pages/parts.js';
import { findHints } from './attention.js';
import type { OperationsView } from './view.js';

/** Shows each alarm with its start and its remedy, and then the hints. */
export function Verdict(view: OperationsView): Markup {
  const { alarms, words } = view;
  const { say } = words;
  const hints = findHints(view);
  return (
    <>
      {alarms.length === 0 ? (
        <p class="well">
          <strong>{say(hints.length === 0 ? 'allIsWell' : 'noAlarm')}</strong>{' '}
          {say(hints.length === 0 ? 'allIsWellMore' : 'noAlarmMore')}
        </p>
      ) : (
        <ul class="findings alarms">
          {alarms.map((alarm) => (
            <AlarmItem alarm={alarm} view={view} />
          ))}
        </ul>
      )}
      {hints.length > 0 && (
        <ul class="findings">
          {hints.map(({ text, remedy, href }) => (
            <li>
              <p>
                <strong>
                  <Prose text={text} />
                </strong>
              </p>
              <p>
                <Prose text={remedy} {...(href !== undefined && { href })} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface AlarmItemProps {
  readonly alarm: KnownAlarm;
  readonly view: OperationsView;
}

function AlarmItem({ alarm, view: { base, mayOperate, words } }: AlarmItemProps): Markup {
  const { say } = words;
  const { text, remedy } = describeAlarm(alarm, words.language);
  const { record } = alarm;
  const acknowledgement = record?.acknowledgement ?? undefined;
  const begunAtMs = record?.begunAt.getTime();
  const begunFacts = record?.begunFacts ?? alarm.facts;
  const begun = describeAlarm({ ...alarm, facts: begunFacts }, words.language).text;
  return (
    <li class={acknowledgement === undefined ? undefined : 'known'}>
      <p>
        <strong>{text}</strong>
        {begunAtMs !== undefined && (
          <>
            {' '}
            <time class="since" datetime={instantOf(begunAtMs)} title={instantOf(begunAtMs)}>
              {say('began', words.ago(begunAtMs))}
            </time>
          </>
        )}
      </p>
      {begun !== text && <p>{say('whenBegun', begun)}</p>}
      <p>
        <Prose text={remedy} /> <WayOn alarm={alarm} base={base} words={words} />
      </p>
      {acknowledgement !== undefined && (
        <p class="acknowledged">
          {acknowledgement.person}, <Ago ms={acknowledgement.at.getTime()} words={words} />:{' '}
          <q>{acknowledgement.words}</q>
        </p>
      )}
      {record !== undefined && acknowledgement === undefined && mayOperate && (
        <form class="acknowledge" method="post" action={`${base}/alarms/acknowledge`}>
          <input type="hidden" name="alarm" value={String(record.alarmId)} />
          <input
            type="text"
            name="words"
            required
            maxlength={MAX_ACKNOWLEDGEMENT}
            aria-label={say('wordForNext')}
            placeholder={say('wordForNext')}
          />{' '}
          <button type="submit">{say('acknowledge')}</button>
        </form>
      )}
    </li>
  );
}

/** Shows the link that leads to a remedy. */
function WayOn({
  alarm,
  base,
  words,
}: Pick<AlarmItemProps, 'alarm'> & Pick<OperationsView, 'base' | 'words'>) {
  if (alarm.name === 'TaktRejectedShare') {
    return <a href={`${base}/rejected`}>{words.say('rejectedEvents')}</a>;
  }
  return alarm.name === 'TaktQueuePaused' ? <a href={`${base}/queues`}>{words.say('queues')}</a> : null;
}
