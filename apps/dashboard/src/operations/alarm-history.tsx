import { type AlarmRecord, describeAlarm } from '@takt/alarms';
import type { Markup } from '@takt/pages';
import { countOf, Instant, Note, spanOf, Table } from '../pages/parts.js';
import type { OperationsView } from './view.js';

const SHOWN = 10;

/** What happened: the alarms that were kept, those that go on first. */
export function AlarmHistory({ sample: { records, atMs }, base }: OperationsView): Markup {
  if (records.length === 0) return <Note>None.</Note>;
  return (
    <>
      <AlarmTable records={records.slice(0, SHOWN)} atMs={atMs} />
      {records.length > SHOWN && (
        <p>
          <a href={`${base}/alarms`}>All {countOf(records.length, 'alarm')}</a>
        </p>
      )}
    </>
  );
}

interface AlarmTableProps {
  readonly records: readonly AlarmRecord[];
  readonly atMs: number;
}

export function AlarmTable({ records, atMs }: AlarmTableProps): Markup {
  return (
    <section class="scroll" tabindex={0} aria-label="Table: alarms">
      <Table class="list" columns={['Alarm', 'Began', '>Lasted', 'Acknowledged']}>
        {records.map((record) => (
          <AlarmRow record={record} atMs={atMs} />
        ))}
      </Table>
    </section>
  );
}

interface AlarmRowProps extends Pick<AlarmTableProps, 'atMs'> {
  readonly record: AlarmRecord;
}

function AlarmRow({ record, atMs }: AlarmRowProps): Markup {
  const { begunAt, endedAt, acknowledgement } = record;
  const seconds = Math.max(0, ((endedAt?.getTime() ?? atMs) - begunAt.getTime()) / 1_000);
  return (
    <tr>
      <th scope="row" class="reason">
        {describeAlarm(record, 'eng').text}
      </th>
      <td>
        <Instant ms={begunAt.getTime()} />
      </td>
      <td class="end">
        {endedAt === null ? <strong class="over">{spanOf(seconds)}, goes on</strong> : spanOf(seconds)}
      </td>
      <td>{acknowledgement === null ? '–' : `${acknowledgement.person}: ${acknowledgement.words}`}</td>
    </tr>
  );
}
