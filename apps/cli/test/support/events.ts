/** A completion that the contract allows; `data` changes its data. */
export function completion(operation: number, data: Readonly<Record<string, unknown>> = {}) {
  return {
    specversion: '1.0',
    id: `operation-${operation}`,
    source: '/test',
    type: 'work-order-operation.completed.v1',
    time: '2025-01-01T12:00:00Z',
    data: {
      database: 'TEM-NO',
      workOrderOperationId: operation,
      revision: 1,
      productStructureVersionId: 7,
      completedAt: '2025-01-01T12:00:00Z',
      runTime: 1.5,
      ...data,
    },
  };
}

export function ndjson(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
