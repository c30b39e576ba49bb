import { RULES } from './field-rules.js';
import { type Json, type SampleType, token } from './sample-events.js';

/** JSON can say them; they are read as Infinity. */
const HUGE = [token('1e400'), token('-1e400')];
const DIGITS_41 = `${'0'.repeat(40)}1`;

/** Values by the field they stand in: each breaks the field's rule in another way. */
export const badValues: readonly (readonly [SampleType, path: string, rule: string, readonly Json[]])[] = [
  [
    'completed',
    'data.runTime',
    RULES.hours,
    [...HUGE, -1, -0.000001, 1_000_000.1, 1e21, null, '', 'NaN', 'Infinity'],
  ],
  [
    'completed',
    'data.runTime',
    RULES.hours,
    ['1,5', '1e3', ' 1', '1 ', '0x10', '+1', '.5', '5.', '1_000', '1.0.0'],
  ],
  [
    'completed',
    'data.runTime',
    RULES.hours,
    ['-1', '-0.000001', '1000000.0000001', '\uff11', '\u0663', '1\n'],
  ],
  ['completed', 'data.runTime', 'hours of at most 40 characters', [DIGITS_41]],
  ['completed', 'data.setupTime', RULES.hours, [...HUGE, -1, '-Infinity', '', false]],
  ['completed', 'data.cleanupTime', RULES.hours, [...HUGE, 1_000_001, '1h']],
  [
    'completed',
    'data.revision',
    RULES.identifier,
    [0, -1, 1.5, token('9007199254740992'), '1', ...HUGE, null, true],
  ],
  [
    'completed',
    'data.workOrderOperationId',
    RULES.identifier,
    [0, 0.5, token('9007199254740993'), '7', ...HUGE],
  ],
  ['completed', 'data.productStructureVersionId', RULES.identifier, [0, -7, '7', [7], ...HUGE]],
  ['completed', 'data.workOrderId', 'an integer from', [0.5, '17', ...HUGE]],
  [
    'completed',
    'data.completedAt',
    RULES.instant,
    ['2024-02-30T10:00:00Z', '2023-02-29T10:00:00Z', '2024-13-01T10:00:00Z'],
  ],
  [
    'completed',
    'data.completedAt',
    RULES.instant,
    ['2024-05-31T16:20:00', '2024-05-31T25:00:00Z', '2024-05-31T24:00:00Z'],
  ],
  [
    'completed',
    'data.completedAt',
    RULES.instant,
    ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00', '10000-01-01T00:00:00Z'],
  ],
  [
    'completed',
    'data.completedAt',
    RULES.instant,
    ['2024-05-31 16:20:00Z', '2024-05-31', '2024-05-31T12:00:60Z', '', 'now'],
  ],
  [
    'completed',
    'data.completedAt',
    RULES.instant,
    [1_717_165_200_000, '2024-05-31T16:20:00+24:00', '2024-05-31T16:20:00Z\n'],
  ],
  ['reopened', 'data.reopenedAt', RULES.instant, ['2024-06-31T10:00:00Z', null]],
  ['completed', 'data.database', RULES.code, ['', 7, null, token('1e400')]],
  ['completed', 'specversion', '"1.0"', ['0.3', '1.0.0', 1, null]],
  ['completed', 'id', RULES.name, ['', 7, null]],
  [
    'completed',
    'source',
    RULES.uri,
    ['', 'line 3', 'http://[', '%zz', '/mes\u0000', '/mes/\ud800', `/${'m'.repeat(2_048)}`],
  ],
  ['completed', 'time', RULES.instant, ['yesterday', '2024-05-31T16:20:00', null]],
  [
    'completed',
    'type',
    'one of',
    ['work-order-operation.completed.v2', 'WORK-ORDER-OPERATION.COMPLETED.V1', '', null, 7],
  ],
  [
    'completed',
    'type',
    'one of',
    ['__proto__', 'constructor', 'toString', 'batch', 'a\u0000b', ['work-order-operation.completed.v1']],
  ],
  ['completed', 'data', RULES.object, [null, [], 'text', 7, token('1e400')]],
  ['structureVersion', 'data.status', RULES.int32, [2_147_483_648, 1.5, '4', ...HUGE]],
  ['structureVersion', 'data.name', RULES.name, ['', 7, ...HUGE]],
  ['structureVersion', 'data.product', RULES.object, [null, [], 'Frame', ...HUGE]],
  ['structureVersion', 'data.plannedProductionTimes.runTime', RULES.hours, [-1, '1,5', ...HUGE]],
  ['applicationVersion', 'data.applicationId', 'an integer from 10000', [9_999, '10000']],
  ['applicationVersion', 'data.isChanged', 'true or false', ['true', 1]],
];
