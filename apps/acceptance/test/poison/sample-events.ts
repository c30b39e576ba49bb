/** What a value in a sample may be: plain JSON, or a `token` that stands for JSON text as it is. */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json };

interface Sample {
  readonly [key: string]: Json;
}

/** JSON text that JSON.stringify would not write, such as 1e400; for `toJson`. */
export function token(text: string): string {
  return `@token:${text}@`;
}

/** The JSON text of a value with its tokens in place. */
export function toJson(value: Json): string {
  return JSON.stringify(value).replace(/"@token:(.*?)@"/gu, '$1');
}

export type SampleType = 'completed' | 'reopened' | 'structureVersion' | 'applicationVersion';
export const sampleTypes: readonly SampleType[] = [
  'completed',
  'reopened',
  'structureVersion',
  'applicationVersion',
];

const envelope = {
  specversion: '1.0',
  id: 'poison',
  source: '/mes/line-3',
  time: '2024-05-31T16:20:00+02:00',
};

/** A valid event of each type, with every optional field, of the registered company GOOD. */
export const samples: Readonly<Record<SampleType, Sample>> = {
  completed: {
    ...envelope,
    type: 'work-order-operation.completed.v1',
    data: {
      database: 'GOOD',
      workOrderOperationId: 1,
      workOrderId: 17,
      revision: 1,
      productStructureVersionId: 7,
      completedAt: '2024-05-31T16:20:00+02:00',
      runTime: '1.5',
      setupTime: 0.25,
      cleanupTime: null,
    },
  },
  reopened: {
    ...envelope,
    type: 'work-order-operation.reopened.v1',
    data: { database: 'GOOD', workOrderOperationId: 1, revision: 2, reopenedAt: '2024-05-31T16:20:00Z' },
  },
  structureVersion: {
    ...envelope,
    type: 'product-structure-version.changed.v1',
    data: {
      database: 'GOOD',
      changedAt: '2024-05-31T16:20:00Z',
      productStructureVersionId: 7,
      status: 4,
      name: 'Frame, welded',
      version: 1,
      revision: 'A',
      product: { productId: 3, status: 4, name: 'Frame', type: 'K', description: '' },
      plannedProductionTimes: { runTime: '8.25', setupTime: 0, cleanupTime: null },
    },
  },
  applicationVersion: {
    ...envelope,
    type: 'application-version.changed.v1',
    data: {
      database: 'GOOD',
      changedAt: '2024-05-31T16:20:00Z',
      applicationVersionId: 100,
      applicationId: 10_000,
      type: 'WIDGET',
      name: 'Clock',
      createdBy: { userId: 1, firstName: 'Ada', name: 'L.' },
      permission: { permissionId: 5, name: 'read' },
      customFieldOrder: { fieldOrder: '[]' },
    },
  },
};

/** A valid event with the field at `path` (such as `data.product.name`) changed; undefined takes it out. */
export function changed(type: SampleType, path: string, value: Json): Json {
  return changedAt(samples[type], path.split('.'), value);
}

function changedAt(value: Json, [key, ...rest]: readonly string[], to: Json): Json {
  if (key === undefined) return to;
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const own = new Map<string, Json>(fields);
  own.set(key, changedAt(own.get(key), rest, to));
  return Object.fromEntries(own);
}

/** A valid completion with other data. */
export function completion(data: Sample): Json {
  return { ...samples.completed, data: { ...Object(samples.completed['data']), ...data } };
}
