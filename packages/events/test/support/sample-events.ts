type Json = Record<string, unknown>;

const envelope = {
  specversion: '1.0',
  id: 'line-3/4711/1',
  source: '/mes/line-3',
  time: '2024-05-31T16:20:05+02:00',
};

export function completedEvent(data: Json = {}, attributes: Json = {}): Json {
  return {
    ...envelope,
    type: 'work-order-operation.completed.v1',
    ...attributes,
    data: {
      database: 'TEM-NO',
      workOrderOperationId: 4711,
      workOrderId: 42,
      revision: 1,
      productStructureVersionId: 100240,
      completedAt: '2024-05-31T16:20:00+02:00',
      runTime: '2.25',
      setupTime: 0.5,
      cleanupTime: null,
      ...data,
    },
  };
}

export function reopenedEvent(data: Json = {}): Json {
  return {
    ...envelope,
    type: 'work-order-operation.reopened.v1',
    data: {
      database: 'TEM-NO',
      workOrderOperationId: 4711,
      revision: 2,
      reopenedAt: '2024-06-01T00:00:00Z',
      ...data,
    },
  };
}

export function productStructureVersionEvent(data: Json = {}): Json {
  return {
    ...envelope,
    type: 'product-structure-version.changed.v1',
    data: {
      database: 'TEM-NO',
      changedAt: '2024-05-01T08:00:00Z',
      productStructureVersionId: 100240,
      status: 4,
      name: 'Adjusting nut, milling',
      version: 1,
      revision: 'A',
      product: { productId: 10001, status: 4, name: 'Adjusting nut', type: 'K', description: '' },
      plannedProductionTimes: { runTime: '8.25', setupTime: 0, cleanupTime: null },
      ...data,
    },
  };
}

export function applicationVersionEvent(data: Json = {}): Json {
  return {
    ...envelope,
    type: 'application-version.changed.v1',
    data: {
      database: 'TEM-NO',
      changedAt: '2024-05-01T08:00:00Z',
      applicationVersionId: 100,
      applicationId: 10000,
      type: 'WIDGET',
      name: 'Production times',
      status: 4,
      createdAt: '2024-04-30T12:00:00.5+02:00',
      createdBy: { userId: 7, firstName: 'Kari', name: 'Nordmann' },
      restrictedToCompany: { companyId: 1, database: 'TEM-NO' },
      permission: { permissionId: 12, name: null },
      scope: 'GLOBAL',
      isChanged: false,
      customFieldOrder: { fieldOrder: '["a","b"]' },
      ...data,
    },
  };
}

/** One valid event of each type. */
export const sampleEvents: readonly Json[] = [
  completedEvent(),
  reopenedEvent(),
  productStructureVersionEvent(),
  applicationVersionEvent(),
];
