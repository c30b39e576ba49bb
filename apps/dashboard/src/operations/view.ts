import type { KnownAlarm } from '@takt/alarms';
import type { EventSource, FlowRange, FlowSlot } from '@takt/database/monitoring';
import type { UnlistedStructureVersion, UnlistedSummary } from '@takt/figures';
import type { RuleGroup } from '@takt/rejections';
import type { Words } from '../words.js';
import type { Sample } from './sampler.js';

/** The rejected events that a person may see. */
export interface RejectedSummary {
  readonly total: number;
  /** Number of further rejected events that the person may not see, because they are of other companies. */
  readonly hidden: number;
  /** The most frequent rules that the events broke, and the number of all rules. */
  readonly groups: readonly RuleGroup[];
  readonly rules: number;
}

/** The state as one person may see it, without data of other companies. */
export interface OperationsView {
  readonly sample: Sample;
  readonly alarms: readonly KnownAlarm[];
  /** The range that the charts show. */
  readonly range: FlowRange;
  readonly history: readonly FlowSlot[];
  /** Summary of the rejected events. Undefined if it could not be read. */
  readonly rejected: RejectedSummary | undefined;
  readonly unlisted: readonly UnlistedSummary[];
  readonly unlistedVersions: readonly UnlistedStructureVersion[];
  readonly sources: readonly EventSource[];
  readonly mayOperate: boolean;
  /** True if the person may see the queues, which hold the events of all companies. */
  readonly hasAllCompanies: boolean;
  readonly base: string;
  readonly words: Words;
}
