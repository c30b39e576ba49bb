import type { EventType } from '@takt/events';

/** An event as it is on the wire: CloudEvents 1.0 in JSON structured mode. */
export interface GeneratedEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: EventType;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}
