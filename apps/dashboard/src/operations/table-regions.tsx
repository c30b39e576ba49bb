import { nameOfVersion } from '@takt/figures';
import { type Markup, PlainTable } from '@takt/pages';
import { Ago, Empty, End, Figures, Note, Prose, RowHead } from '../pages/parts.js';
import { writeFilter } from '../rejected/filter.js';
import { nameOfRule } from '../rejected/list-page.js';
import type { OperationsView } from './view.js';

const SHOWN_SOURCES = 12;
const SHOWN_TABLES = 6;

export function WorkerTable({ sample: { reports }, words }: OperationsView): Markup {
  const { say, number } = words;
  const byWorker = new Map(reports.map((report) => [report.workerId, report]));
  if (byWorker.size === 0) return <Note>{say('noneSeen')}</Note>;
  const columns = [
    words.count('Worker', byWorker.size),
    say('started'),
    `>${say('applied')}`,
    say('lastCommit'),
  ];
  return (
    <PlainTable class="items" columns={columns}>
      {[...byWorker.values()].map(({ workerId, host, pid, version, startedAt }) => {
        const own = reports.filter((report) => report.workerId === workerId);
        const commits = own.flatMap(({ lastCommitAt }) =>
          lastCommitAt === null ? [] : [lastCommitAt.getTime()],
        );
        return (
          <tr>
            <RowHead more={say('pidAndVersion', String(pid), version)}>{host}</RowHead>
            <td>
              <Ago ms={startedAt.getTime()} words={words} />
            </td>
            <End>{number(own.reduce((sum, report) => sum + report.applied, 0))}</End>
            <td>{commits.length === 0 ? '–' : <Ago ms={Math.max(...commits)} words={words} />}</td>
          </tr>
        );
      })}
    </PlainTable>
  );
}

export function RejectedReasons({ rejected, base, words }: OperationsView): Markup {
  const { say, number } = words;
  if (rejected === undefined) return <Note>{say('queuesAway')}</Note>;
  const { total, hidden, groups, rules } = rejected;
  const more = hidden > 0 && (
    <Note>
      <Prose text={say(hidden === 1 ? 'oneHidden' : 'manyHidden', number(hidden))} />
    </Note>
  );
  if (total === 0) return more || <Empty>{say('none')}</Empty>;
  const others = rules - groups.length;
  return (
    <>
      <PlainTable class="items reasons" columns={[`>${say('events')}`, say('reason'), say('last')]}>
        {groups.map((group) => (
          <tr>
            <End>{number(group.count)}</End>
            <th scope="row">
              <a href={`${base}/rejected?${writeFilter({}, { rule: group.rule })}`}>
                {nameOfRule(group, words)}
              </a>
            </th>
            <td>
              <Ago ms={group.lastAt.getTime()} words={words} />
            </td>
          </tr>
        ))}
      </PlainTable>
      <p>
        <a href={`${base}/rejected`}>{say('allOf', number(total))}</a>
        {others > 0 && `, ${say('amongThem', words.count('Reason', others))}`}
      </p>
      {more}
    </>
  );
}

export function UnlistedTable({
  unlisted,
  unlistedVersions,
  words: { say, number },
}: OperationsView): Markup {
  const waiting = unlisted.filter(({ operations }) => operations > 0);
  if (waiting.length === 0) return <Empty>{say('noneWaits')}</Empty>;
  return (
    <>
      <PlainTable
        class="items"
        columns={[say('companyAndVersions'), `>${say('versions')}`, `>${say('operationsCount')}`]}
      >
        {waiting.map(({ database: code, structureVersions, operations }) => {
          const some = unlistedVersions.filter((one) => one.database === code);
          const names = some.map(nameOfVersion);
          return (
            <tr>
              <RowHead more={[...names, ...(structureVersions > some.length ? ['…'] : [])].join(', ')}>
                {code}
              </RowHead>
              <End>{number(structureVersions)}</End>
              <End>{number(operations)}</End>
            </tr>
          );
        })}
      </PlainTable>
      <Note>
        <Prose text={say('allUnlisted')} />
      </Note>
    </>
  );
}

export function SourceTable({ sources, words }: OperationsView): Markup {
  const { say } = words;
  if (sources.length === 0) return <Empty>{say('noSource')}</Empty>;
  const others = sources.length - SHOWN_SOURCES;
  return (
    <>
      <PlainTable class="items" columns={[say('sourceAndEvent'), say('published')]}>
        {sources.slice(0, SHOWN_SOURCES).map(({ database: code, source, lastEventAt, lastEventId }) => (
          <tr>
            <RowHead more={`${code}, ${lastEventId}`}>{source}</RowHead>
            <td>
              <Ago ms={lastEventAt.getTime()} words={words} />
            </td>
          </tr>
        ))}
      </PlainTable>
      {others > 0 && <Note>{say('moreSources', words.number(others))}</Note>}
    </>
  );
}

export function AuditFigures({ sample: { slow }, words }: OperationsView): Markup {
  const { say } = words;
  if (slow.audit === undefined) {
    return (
      <Empty>
        <Prose text={say('noAudit')} />
      </Empty>
    );
  }
  const { at, structureVersions, differences, seconds } = slow.audit;
  return (
    <>
      <Figures
        all={[
          { name: say('ended'), value: <Ago ms={at.getTime()} words={words} /> },
          { name: say('differences'), value: words.number(differences), isBad: differences > 0 },
        ]}
      />
      <Note>{say('doneIn', words.count('Version', structureVersions), words.span(seconds))}</Note>
    </>
  );
}

export function DatabaseTables({ sample: { slow }, words }: OperationsView): Markup {
  const { say, bytes: bytesOf } = words;
  const { databaseBytes, tables } = slow.size;
  return (
    <>
      <p>{say('inAll', bytesOf(databaseBytes))}</p>
      <PlainTable
        class="items"
        columns={[say('table'), `>${say('data')}`, `>${say('indexes')}`, `>${say('dead')}`]}
      >
        {tables.slice(0, SHOWN_TABLES).map(({ table, bytes, indexBytes, liveRows, deadRows }) => {
          const share = liveRows + deadRows === 0 ? 0 : deadRows / (liveRows + deadRows);
          return (
            <tr>
              <th scope="row">{table}</th>
              <End>{bytesOf(bytes)}</End>
              <End>{bytesOf(indexBytes)}</End>
              <End>{Math.round(share * 100)} %</End>
            </tr>
          );
        })}
      </PlainTable>
      {slow.nodes.length > 0 && (
        <PlainTable class="items" columns={[say('node'), `>${say('companies')}`, `>${say('size')}`]}>
          {slow.nodes.map(({ host, port, isCoordinator, companies, bytes }) => (
            <tr>
              <RowHead {...(isCoordinator && { more: say('coordinator') })}>
                {host}:{port}
              </RowHead>
              <End>{words.number(companies)}</End>
              <End>{bytes === null ? say('away') : bytesOf(bytes)}</End>
            </tr>
          ))}
        </PlainTable>
      )}
    </>
  );
}
