type Fields = Readonly<Record<string, unknown>>;

const AT = '2025-01-01T12:00:00Z';

function eventOf<Type extends string, Data extends Fields>(
  type: Type,
  id: string,
  data: Data,
  attributes: Fields,
) {
  const envelope = { specversion: '1.0' as const, id, source: '/line-3', type, time: AT };
  return { ...envelope, ...attributes, data: { database: 'TEM-NO', ...data } };
}

/** Returns a valid CloudEvent of a completion. `data` and `attributes` override its fields. */
export function completion(workOrderOperationId: number, data: Fields = {}, attributes: Fields = {}) {
  const completed = { workOrderOperationId, revision: 1, productStructureVersionId: 7 };
  const times = { completedAt: AT, runTime: 1.5 };
  const id = `event-${workOrderOperationId}`;
  return eventOf('work-order-operation.completed.v1', id, { ...completed, ...times, ...data }, attributes);
}

/** Returns `count` completions, each of a different operation. */
export function completions(count: number, from = 1) {
  return Array.from({ length: count }, (_, index) => completion(from + index));
}

/** Returns a valid CloudEvent of a reopened operation. */
export function reopening(workOrderOperationId: number, data: Fields = {}) {
  const reopened = { workOrderOperationId, revision: 2, reopenedAt: AT };
  const id = `reopening-${workOrderOperationId}`;
  return eventOf('work-order-operation.reopened.v1', id, { ...reopened, ...data }, {});
}

/** Returns a valid CloudEvent of a structure version, as the ERP would send it. */
export function structureVersion(identifier: number, data: Fields = {}) {
  const version = {
    changedAt: AT,
    productStructureVersionId: identifier,
    status: 4,
    name: `Bracket ${identifier} - Milling`,
    version: 2,
    revision: 'B',
    product: {
      productId: 1_000 + identifier,
      status: 4,
      name: `Bracket ${identifier}`,
      type: 'K',
      description: 'Welded',
    },
    plannedProductionTimes: { runTime: '1.25', setupTime: '0.5', cleanupTime: null },
  };
  const id = `version-${identifier}`;
  return eventOf('product-structure-version.changed.v1', id, { ...version, ...data }, {});
}

/** Returns a valid CloudEvent of a structure version that the ERP removed. */
export function structureVersionRemoval(identifier: number, data: Fields = {}) {
  const removed = { changedAt: AT, productStructureVersionId: identifier };
  return eventOf(
    'product-structure-version.removed.v1',
    `removal-${identifier}`,
    { ...removed, ...data },
    {},
  );
}

/** Returns a valid CloudEvent of an application version, with every optional field. */
export function applicationVersion(identifier: number, data: Fields = {}) {
  const { database = 'TEM-NO' } = data;
  const version = {
    changedAt: AT,
    applicationVersionId: identifier,
    applicationId: 10_001,
    status: 4,
    type: 'WIDGET',
    name: 'Work order board',
    descriptiveName: 'Board of work orders',
    description: 'Shows what is under way',
    namespace: 'production',
    masterUrl: 'https://apps.example/board',
    lookupKey: 'board',
    lookupPriority: 1,
    contentType: 'HTML5',
    changeDescription: 'First version',
    createdAt: '2026-01-02T03:04:05Z',
    createdBy: { userId: 7, firstName: 'Kari', name: 'Nordmann' },
    restrictedToCompany: { companyId: 1, database },
    permission: { permissionId: 12, name: 'Production' },
    scope: 'GLOBAL',
    isChanged: false,
    changedBy: { userId: 8, firstName: 'Ola', name: 'Nordmann' },
    isPendingDeployment: true,
    customFieldOrder: { fieldOrder: '{"fields":["name","status"]}' },
  };
  const id = `application-${identifier}`;
  return eventOf('application-version.changed.v1', id, { ...version, ...data }, {});
}

/** Returns the events as text with one JSON text per line. */
export function ndjson(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
