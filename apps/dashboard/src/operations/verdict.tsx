import { describeAlarm, MAX_ACKNOWLEDGEMENT } from '@takt/alarms';
import type { Markup } from '@takt/pages';
import { Ago, Prose } from '../pages/parts.js';
import { findHints } from './attention.js';
import type { OperationsView, ShownAlarm } from './view.js';

/** What is wrong, since when, and what to do; then what wants attention when there is time. */
export function Verdict(view: OperationsView): Markup {
  const { alarms } = view;
  const hints = findHints(view);
  return (
    <>
      {alarms.length === 0 && (
        <p class="well">
          {hints.length === 0 ? (
            <>
              <strong>All is well.</strong> Events are taken as they come; nothing waits, nothing is rejected.
            </>
          ) : (
            <>
              <strong>No alarm.</strong> This wants attention when there is time:
            </>
          )}
        </p>
      )}
      <ul class="findings">
        {alarms.map((alarm) => (
          <AlarmItem alarm={alarm} view={view} />
        ))}
        {hints.map(({ text, remedy }) => (
          <li class="hint">
            <p>
              <strong>{text}</strong>
            </p>
            <p>{remedy}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

const WORDS = 'What the next operator should know';

interface AlarmItemProps {
  readonly alarm: ShownAlarm;
  readonly view: OperationsView;
}

function AlarmItem({ alarm, view: { base, mayOperate } }: AlarmItemProps): Markup {
  const { text, remedy } = describeAlarm(alarm, 'eng');
  const { record } = alarm;
  const acknowledgement = record?.acknowledgement ?? undefined;
  return (
    <li class={acknowledgement === undefined ? 'alarm' : 'alarm known'}>
      <p>
        <strong>{text}</strong>
        {record !== undefined && (
          <>
            {' '}
            <span class="since">
              Since <Ago ms={record.begunAt.getTime()} />.
            </span>
          </>
        )}
      </p>
      <p>
        <Prose text={remedy} />
        {alarm.name === 'TaktRejectedShare' && (
          <>
            {' '}
            <a href={`${base}/rejected`}>Rejected events</a>
          </>
        )}
        {alarm.name === 'TaktQueuePaused' && (
          <>
            {' '}
            <a href={`${base}/queues/`}>Queues</a>
          </>
        )}
      </p>
      {acknowledgement !== undefined && (
        <p class="acknowledged">
          {acknowledgement.person}, <Ago ms={acknowledgement.at.getTime()} />: “{acknowledgement.words}”
        </p>
      )}
      {record !== undefined && acknowledgement === undefined && mayOperate && (
        <form class="acknowledge" method="post" action={`${base}/alarms/acknowledge`}>
          <input type="hidden" name="alarm" value={String(record.alarmId)} />
          <input
            name="words"
            required
            maxlength={MAX_ACKNOWLEDGEMENT}
            aria-label={WORDS}
            placeholder={WORDS}
          />{' '}
          <button type="submit">Acknowledge</button>
        </form>
      )}
    </li>
  );
}
