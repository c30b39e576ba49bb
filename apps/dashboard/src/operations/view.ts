import type { KnownAlarm } from '@takt/alarms';
import type { EventSource, FlowRange, FlowSlot } from '@takt/database/monitoring';
import type { UnlistedStructureVersion, UnlistedSummary } from '@takt/figures';
import type { RuleGroup } from '../rejected/filter.js';
import type { Words } from '../words.js';
import type { Sample } from './sampler.js';

/** The rejected events that a person may see. */
export interface RejectedSummary {
  readonly total: number;
  /** The number of rejected events of companies that the person may not see. */
  readonly hidden: number;
  readonly groups: readonly RuleGroup[];
  /** True if older rejected events were not read. */
  readonly isCut: boolean;
}

/** The state of the system as one person may see it: without data of other companies. */
export interface OperationsView {
  readonly sample: Sample;
  readonly alarms: readonly KnownAlarm[];
  /** The range of the charts. */
  readonly range: FlowRange;
  readonly history: readonly FlowSlot[];
  /** Undefined if the queues do not answer. */
  readonly rejected: RejectedSummary | undefined;
  readonly unlisted: readonly UnlistedSummary[];
  readonly unlistedVersions: readonly UnlistedStructureVersion[];
  readonly sources: readonly EventSource[];
  readonly mayOperate: boolean;
  readonly base: string;
  readonly words: Words;
}
