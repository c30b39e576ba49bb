import { type Alarm, type AlarmRecord, describeAlarm, isCurrent } from '@takt/alarms';
import type { Markup } from '@takt/pages';
import { Empty, End, Instant, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
import type { OperationsView } from './view.js';

const SHOWN = 10;

/** Shows the stored alarms. Alarms that still last come first. */
export function AlarmHistory({ sample: { records, atMs }, alarms, base, words }: OperationsView): Markup {
  if (records.length === 0) return <Empty>{words.say('none')}</Empty>;
  return (
    <>
      <AlarmTable records={records.slice(0, SHOWN)} found={alarms} atMs={atMs} words={words} />
      {records.length > SHOWN && (
        <p>
          <a href={`${base}/alarms`}>{words.say('allOf', words.number(records.length))}</a>
        </p>
      )}
    </>
  );
}

interface AlarmTableProps {
  readonly records: readonly AlarmRecord[];
  /** The current alarms. */
  readonly found: readonly Alarm[];
  readonly atMs: number;
  readonly words: Words;
}

export function AlarmTable({ records, found, atMs, words }: AlarmTableProps): Markup {
  const { say } = words;
  const columns = [say('alarm'), say('begun'), `>${say('lasted')}`, say('acknowledged')];
  return (
    <WideTable name={say('alarmsOfMonth')} columns={columns} words={words}>
      {records.map((record) => (
        <AlarmRow record={record} found={found} atMs={atMs} words={words} />
      ))}
    </WideTable>
  );
}

interface AlarmRowProps extends Omit<AlarmTableProps, 'records'> {
  readonly record: AlarmRecord;
}

function AlarmRow({ record, found, atMs, words }: AlarmRowProps): Markup {
  const { begunAt, foundAt, acknowledgement } = record;
  const lasts = isCurrent(record, found);
  const lasted = words.span(Math.max(0, ((lasts ? atMs : foundAt.getTime()) - begunAt.getTime()) / 1_000));
  return (
    <tr>
      <th scope="row" class="reason">
        {describeAlarm(record, words.language).text}
      </th>
      <td>
        <Instant ms={begunAt.getTime()} />
      </td>
      <End>{lasts ? <strong class="over">{words.say('goesOn', lasted)}</strong> : lasted}</End>
      <td>{acknowledgement === null ? '–' : `${acknowledgement.person}: ${acknowledgement.words}`}</td>
    </tr>
  );
}
