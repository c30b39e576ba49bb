import type { KnownAlarm } from '@takt/alarms';
import type { EventSource, FlowRange, FlowSlot } from '@takt/database/monitoring';
import type { UnlistedStructureVersion, UnlistedSummary } from '@takt/figures';
import type { RuleGroup } from '../rejected/filter.js';
import type { Words } from '../words.js';
import type { Sample } from './sampler.js';

/** The rejected events, as one person sees them. */
export interface RejectedSummary {
  readonly total: number;
  /** How many more there are, of companies that the person may not see. */
  readonly hidden: number;
  readonly groups: readonly RuleGroup[];
  /** Older ones are left out. */
  readonly isCut: boolean;
}

/** What one person sees of how Takt gets on: nothing of companies that are not theirs. */
export interface OperationsView {
  readonly sample: Sample;
  readonly alarms: readonly KnownAlarm[];
  /** The range of the charts. */
  readonly range: FlowRange;
  readonly history: readonly FlowSlot[];
  /** Undefined: the queues do not answer. */
  readonly rejected: RejectedSummary | undefined;
  readonly unlisted: readonly UnlistedSummary[];
  readonly unlistedVersions: readonly UnlistedStructureVersion[];
  readonly sources: readonly EventSource[];
  readonly mayOperate: boolean;
  readonly base: string;
  readonly words: Words;
}
