export {
  type AlarmRecord,
  acknowledgeAlarm,
  isCurrent,
  type KnownAlarm,
  listAlarms,
  MAX_ACKNOWLEDGEMENT,
  noteAlarms,
  withRecords,
} from './alarm-records.js';
export {
  type Alarm,
  type AlarmName,
  type AlarmSettings,
  type AlarmWords,
  alarmNames,
  describeAlarm,
  type Facts,
  findAlarms,
} from './alarms.js';
export {
  type AlarmState,
  type QueueQuestions,
  type QueueState,
  type QuickState,
  readAlarmState,
  readQueueState,
  readQuickState,
  type StateDependencies,
} from './read-state.js';
export { type AlarmWatch, watchAlarms } from './watch-alarms.js';
export type { Webhook } from './webhook.js';
