import type { RejectionFacts } from '@takt/rejected-events';
import { NONE } from './filter.js';

export interface RuleGroup {
  readonly rule: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/** Events by the rule that they broke, the most frequent first. `events`: the newest first. */
export function groupByRule(events: readonly RejectionFacts[]): readonly RuleGroup[] {
  const groups = new Map<string, { count: number; readonly lastAtMs: number }>();
  for (const { rule, rejectedAtMs } of events) {
    const group = groups.get(rule);
    if (group === undefined) {
      groups.set(rule, { count: 1, lastAtMs: rejectedAtMs });
    } else {
      group.count += 1;
    }
  }
  return [...groups]
    .map(([rule, group]) => ({ rule: rule || NONE, ...group }))
    .sort((one, other) => other.count - one.count || (one.rule < other.rule ? -1 : 1));
}
