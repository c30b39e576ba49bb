import type { Markup } from '@takt/pages';
import { countOf, numberOf } from '../pages/parts.js';
import { hiddenOf } from '../rejected/list-page.js';
import type { OperationsView } from './view.js';

/** Something that an operator should look at when there is time, and what to do about it. */
export interface Hint {
  readonly text: string;
  readonly remedy: Markup | string;
}

/** Dead rows beside live ones, past which vacuum does not keep up. */
const BLOATED_SHARE = 0.5;
const BLOATED_ROWS = 10_000;

/** What wants attention beside the alarms; empty where all is well. */
export function findHints(view: OperationsView): readonly Hint[] {
  return [...findRejected(view), ...findUnlisted(view), ...findMissingAudit(view), ...findBloat(view)];
}

function findRejected({ rejected: { total, hidden }, base }: OperationsView): readonly Hint[] {
  if (total === 0) return hidden === 0 ? [] : [{ text: hiddenOf(hidden), remedy: '' }];
  const [are, count, them] = total === 1 ? ['is', 'counts', 'it'] : ['are', 'count', 'them'];
  return [
    {
      text: `${countOf(total, 'event')} ${are} rejected and ${count} nowhere.`,
      remedy: (
        <>
          <a href={`${base}/rejected`}>See why</a>, then correct, retry or discard {them}.
        </>
      ),
    },
  ];
}

function findUnlisted({ unlisted }: OperationsView): readonly Hint[] {
  const operations = unlisted.reduce((sum, one) => sum + one.operations, 0);
  if (operations === 0) return [];
  const versions = unlisted.reduce((sum, one) => sum + one.structureVersions, 0);
  return [
    {
      text: `${countOf(operations, 'operation')} of ${countOf(versions, 'structure version')} ${operations === 1 ? 'waits' : 'wait'} for master data.`,
      remedy: (
        <>
          Have the ERP publish <code>product-structure-version.changed.v1</code> for them; they are listed at
          once then.
        </>
      ),
    },
  ];
}

function findMissingAudit({ sample: { slow } }: OperationsView): readonly Hint[] {
  if (slow.audit !== undefined) return [];
  return [
    {
      text: 'The figures have not been audited yet.',
      remedy: (
        <>
          Run <code>npx takt audit</code>, best once a day.
        </>
      ),
    },
  ];
}

function findBloat({ sample: { slow } }: OperationsView): readonly Hint[] {
  return slow.size.tables
    .filter(({ liveRows, deadRows }) => deadRows >= BLOATED_ROWS && deadRows >= liveRows * BLOATED_SHARE)
    .map(({ table, liveRows, deadRows }) => ({
      text: `${table} holds ${numberOf(deadRows)} dead rows beside ${numberOf(liveRows)} live ones.`,
      remedy: (
        <>
          Run <code>npx takt maintain</code>.
        </>
      ),
    }));
}
