import type { SampleType } from './sample-events.js';

/** What a field must be, as reasons say it (instants and others as far as the rule is short). */
export const RULES = {
  object: 'a JSON object',
  identifier: 'an integer from 1 to 9007199254740991',
  hours: 'hours as a number or plain decimal string from 0 to 1000000',
  instant: 'an RFC 3339 date and time with offset',
  code: 'text of 1 to 20 characters without NUL or lone surrogates',
  name: 'text of 1 to 255 characters without NUL or lone surrogates',
  line: 'text of 0 to 255 characters without NUL or lone surrogates',
  prose: 'text of 0 to 4000 characters without NUL or lone surrogates',
  document: 'text of 0 to 100000 characters without NUL or lone surrogates',
  uri: 'a URI reference of 1 to 2048 characters',
  int32: 'an integer from -2147483648 to 2147483647',
} as const;

/** Every required field of every type, with the rule that its reason must give. */
export const requiredFields: Readonly<Record<SampleType, Readonly<Record<string, string>>>> = {
  completed: {
    specversion: '"1.0"',
    id: RULES.name,
    source: RULES.uri,
    type: 'one of',
    time: RULES.instant,
    data: RULES.object,
    'data.database': RULES.code,
    'data.workOrderOperationId': RULES.identifier,
    'data.revision': RULES.identifier,
    'data.productStructureVersionId': RULES.identifier,
    'data.completedAt': RULES.instant,
    'data.runTime': RULES.hours,
  },
  reopened: {
    'data.database': RULES.code,
    'data.workOrderOperationId': RULES.identifier,
    'data.revision': RULES.identifier,
    'data.reopenedAt': RULES.instant,
  },
  structureVersion: {
    'data.database': RULES.code,
    'data.changedAt': RULES.instant,
    'data.productStructureVersionId': RULES.identifier,
    'data.status': RULES.int32,
    'data.name': RULES.name,
    'data.version': RULES.int32,
    'data.revision': RULES.line,
    'data.product': RULES.object,
    'data.product.productId': RULES.identifier,
    'data.product.status': RULES.int32,
    'data.product.name': RULES.name,
    'data.product.type': RULES.name,
    'data.product.description': RULES.prose,
    'data.plannedProductionTimes': RULES.object,
    'data.plannedProductionTimes.runTime': RULES.hours,
    'data.plannedProductionTimes.setupTime': RULES.hours,
    'data.plannedProductionTimes.cleanupTime': RULES.hours,
  },
  applicationVersion: {
    'data.database': RULES.code,
    'data.changedAt': RULES.instant,
    'data.applicationVersionId': 'an integer from 100 to',
    'data.applicationId': 'an integer from 10000 to',
    'data.type': RULES.name,
    'data.name': RULES.name,
  },
};

/** Optional fields that are read, with the rule that holds where they are given. */
export const optionalFields: typeof requiredFields = {
  completed: {
    'data.workOrderId': 'an integer from',
    'data.setupTime': RULES.hours,
    'data.cleanupTime': RULES.hours,
  },
  reopened: {},
  structureVersion: {},
  applicationVersion: {
    'data.status': RULES.int32,
    'data.isChanged': 'true or false',
    'data.createdAt': RULES.instant,
    'data.createdBy': RULES.object,
    'data.createdBy.userId': RULES.identifier,
    'data.permission.permissionId': RULES.identifier,
    'data.restrictedToCompany': RULES.object,
    'data.customFieldOrder.fieldOrder': RULES.document,
  },
};

/** Every text of which something is kept, and how many characters it may have. */
export const texts: readonly (readonly [SampleType, string, rule: string, maxLength: number])[] = [
  ['completed', 'id', RULES.name, 255],
  ['completed', 'data.database', RULES.code, 20],
  ['reopened', 'data.database', RULES.code, 20],
  ['structureVersion', 'data.database', RULES.code, 20],
  ['structureVersion', 'data.name', RULES.name, 255],
  ['structureVersion', 'data.revision', RULES.line, 255],
  ['structureVersion', 'data.product.name', RULES.name, 255],
  ['structureVersion', 'data.product.type', RULES.name, 255],
  ['structureVersion', 'data.product.description', RULES.prose, 4_000],
  ['applicationVersion', 'data.database', RULES.code, 20],
  ['applicationVersion', 'data.type', RULES.name, 255],
  ['applicationVersion', 'data.name', RULES.name, 255],
  ['applicationVersion', 'data.description', RULES.prose, 4_000],
  ['applicationVersion', 'data.namespace', RULES.line, 255],
  ['applicationVersion', 'data.createdBy.firstName', RULES.line, 255],
  ['applicationVersion', 'data.permission.name', RULES.line, 255],
  ['applicationVersion', 'data.customFieldOrder.fieldOrder', RULES.document, 100_000],
];
