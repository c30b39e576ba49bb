export {
  type Alarm,
  type AlarmName,
  type AlarmSettings,
  type AlarmWords,
  alarmNames,
  describeAlarm,
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
  type StatePlace,
} from './read-state.js';
