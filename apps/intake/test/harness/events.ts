/** A completion of an operation, as it is on the wire. */
export function completion(
  workOrderOperationId: number,
  data: Readonly<Record<string, unknown>> = {},
  envelope: Readonly<Record<string, unknown>> = {},
) {
  return {
    specversion: '1.0',
    id: `e-${workOrderOperationId}`,
    source: '/mes/line-1',
    type: 'work-order-operation.completed.v1',
    time: '2024-05-31T16:20:05Z',
    ...envelope,
    data: {
      ...{ database: 'TEM-NO', workOrderOperationId, revision: 1, productStructureVersionId: 7 },
      ...{ completedAt: '2024-05-31T16:20:00Z', runTime: '0.5' },
      ...data,
    },
  };
}

export const completions = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => completion(from + index));

/** Of the other queue. */
export function structureVersion(productStructureVersionId: number) {
  const times = { runTime: '1', setupTime: null, cleanupTime: null };
  return {
    ...{ specversion: '1.0', id: `v-${productStructureVersionId}`, source: '/erp' },
    ...{ type: 'product-structure-version.changed.v1', time: '2024-05-31T16:20:05Z' },
    data: {
      ...{ database: 'TEM-NO', changedAt: '2024-05-31T16:20:00Z', productStructureVersionId },
      ...{ status: 4, name: 'Table', version: 1, revision: 'A', plannedProductionTimes: times },
      product: { productId: 1, status: 4, name: 'Table', type: 'K', description: 'A table' },
    },
  };
}
