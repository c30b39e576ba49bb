import type { DashboardText } from '../words.js';
import type { OperationsView } from './view.js';

/** A problem that is less urgent than an alarm, with its remedy. */
export interface Hint {
  readonly text: string;
  readonly remedy: string;
  /** Target of the link in the remedy; undefined if the remedy has no link. */
  readonly href?: string;
}

/** Share of dead rows, relative to the live rows of a table. If a table exceeds it, vacuum has fallen behind. */
const BLOATED_SHARE = 0.5;
const BLOATED_ROWS = 10_000;

/** Finds the hints that are shown after the alarms; the list is empty if there are none. */
export function findHints(view: OperationsView): readonly Hint[] {
  return [...findRejected(view), ...findUnlisted(view), ...findMissingAudit(view), ...findBloat(view)];
}

function findRejected({ rejected, base, words }: OperationsView): readonly Hint[] {
  const { total, hidden } = rejected ?? { total: 0, hidden: 0 };
  const { say, number } = words;
  if (total > 0) {
    const text: DashboardText = total === 1 ? 'oneRejected' : 'manyRejected';
    const remedy = say('rejectedRemedy');
    return [{ text: say(text, number(total)), remedy, href: `${base}/rejected` }];
  }
  if (hidden === 0) return [];
  return [{ text: say(hidden === 1 ? 'oneHidden' : 'manyHidden', number(hidden)), remedy: '' }];
}

function findUnlisted({ unlisted, words: { say, count } }: OperationsView): readonly Hint[] {
  const operations = unlisted.reduce((sum, one) => sum + one.operations, 0);
  if (operations === 0) return [];
  const versions = unlisted.reduce((sum, one) => sum + one.structureVersions, 0);
  const text: DashboardText = operations === 1 ? 'oneWaits' : 'manyWait';
  return [
    {
      text: say(text, count('Operation', operations), count('Version', versions)),
      remedy: say('waitRemedy'),
    },
  ];
}

function findMissingAudit({ sample: { slow }, words: { say } }: OperationsView): readonly Hint[] {
  if (slow.audit !== undefined) return [];
  return [{ text: say('notAudited'), remedy: say('notAuditedRemedy') }];
}

function findBloat({ sample: { slow }, words: { say, number } }: OperationsView): readonly Hint[] {
  return slow.size.tables
    .filter(({ liveRows, deadRows }) => deadRows >= BLOATED_ROWS && deadRows >= liveRows * BLOATED_SHARE)
    .map(({ table, liveRows, deadRows }) => ({
      text: say('bloated', table, number(deadRows), number(liveRows)),
      remedy: say('bloatedRemedy'),
    }));
}
