/** How the values of a field are read. `name` is text that names an object; `number` is a number that the ERP gave. */
export type FieldKind = 'name' | 'number' | 'text' | 'instant' | 'duration';

export type ImportedKind = 'operations' | 'plans';

/**
 * The fields that columns can be mapped to: those of the event's `data`, by their paths. A key and a number of the same
 * object exclude each other.
 */
export const FIELDS = {
  operations: {
    workOrderOperationKey: 'name',
    workOrderOperationId: 'number',
    workOrderKey: 'name',
    workOrderId: 'number',
    productStructureVersionKey: 'name',
    productStructureVersionId: 'number',
    completedAt: 'instant',
    runTime: 'duration',
    setupTime: 'duration',
    cleanupTime: 'duration',
  },
  plans: {
    productStructureVersionKey: 'name',
    productStructureVersionId: 'number',
    name: 'text',
    status: 'number',
    version: 'number',
    revision: 'text',
    'product.productKey': 'name',
    'product.productId': 'number',
    'product.name': 'text',
    'product.status': 'number',
    'product.type': 'text',
    'product.description': 'text',
    'plannedProductionTimes.runTime': 'duration',
    'plannedProductionTimes.setupTime': 'duration',
    'plannedProductionTimes.cleanupTime': 'duration',
  },
} as const satisfies Readonly<Record<ImportedKind, Readonly<Record<string, FieldKind>>>>;

/** The three times, in the order in which they are staged. */
export const TIMES = ['runTime', 'setupTime', 'cleanupTime'] as const;

export function kindOfField(what: ImportedKind, field: string): FieldKind | undefined {
  const fields: Readonly<Record<string, FieldKind>> = FIELDS[what];
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** The fields that a mapping must have. Of each group, exactly one field. */
export const REQUIRED: Readonly<Record<ImportedKind, readonly (readonly string[])[]>> = {
  operations: [
    ['workOrderOperationKey', 'workOrderOperationId'],
    ['productStructureVersionKey', 'productStructureVersionId'],
    ['completedAt'],
    ['runTime'],
  ],
  plans: [['productStructureVersionKey', 'productStructureVersionId']],
};
