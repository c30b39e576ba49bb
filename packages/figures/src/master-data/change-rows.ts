import type { EventsByQueue } from '@takt/events/internal';

export type ReferenceDataEvent = EventsByQueue['reference-data'];

type EventOf<Type extends ReferenceDataEvent['type']> = Extract<ReferenceDataEvent, { readonly type: Type }>;

/** The name of a function of schema takt, and an event in the format of that function. */
export interface Change {
  readonly takenBy: `apply_${string}_changes`;
  readonly row: object;
}

export function toChange(event: ReferenceDataEvent): Change {
  switch (event.type) {
    case 'product-structure-version.changed.v1':
      return { takenBy: 'apply_product_structure_version_changes', row: toStructureVersionChange(event) };
    case 'product-structure-version.removed.v1':
      return { takenBy: 'apply_product_structure_version_changes', row: toStructureVersionRemoval(event) };
    case 'application-version.changed.v1':
      return { takenBy: 'apply_application_version_changes', row: toApplicationVersionRow(event) };
  }
}

function toStructureVersionChange(event: EventOf<'product-structure-version.changed.v1'>) {
  const { product, plannedProductionTimes: planned } = event;
  return {
    changed_at: event.changedAt,
    product_structure_version_id: event.productStructureVersionId,
    product_structure_version_key: event.productStructureVersionKey,
    status: event.status,
    name: event.name,
    version: event.version,
    revision: event.revision,
    product_id: product.productId,
    product_key: product.productKey,
    product_status: product.status,
    product_name: product.name,
    product_type: product.type,
    product_description: product.description,
    run_time: planned.runTime,
    setup_time: planned.setupTime,
    cleanup_time: planned.cleanupTime,
  };
}

/** A change without a product is a removal. */
function toStructureVersionRemoval(event: EventOf<'product-structure-version.removed.v1'>) {
  return {
    changed_at: event.changedAt,
    product_structure_version_id: event.productStructureVersionId,
    product_structure_version_key: event.productStructureVersionKey,
  };
}

function toApplicationVersionRow({
  changedAt,
  applicationVersion,
}: EventOf<'application-version.changed.v1'>) {
  const { createdBy, restrictedToCompany, permission, changedBy, customFieldOrder, ...own } =
    applicationVersion;
  return {
    changed_at: changedAt,
    application_version_id: own.applicationVersionId,
    application_id: own.applicationId,
    status: own.status,
    type: own.type,
    name: own.name,
    descriptive_name: own.descriptiveName,
    description: own.description,
    namespace: own.namespace,
    master_url: own.masterUrl,
    lookup_key: own.lookupKey,
    lookup_priority: own.lookupPriority,
    content_type: own.contentType,
    change_description: own.changeDescription,
    created_at: own.createdAt,
    created_by_user_id: createdBy?.userId,
    created_by_first_name: createdBy?.firstName,
    created_by_name: createdBy?.name,
    restricted_to_company_id: restrictedToCompany?.companyId,
    restricted_to_database: restrictedToCompany?.database,
    permission_id: permission?.permissionId,
    permission_name: permission?.name,
    scope: own.scope,
    is_changed: own.isChanged,
    changed_by_user_id: changedBy?.userId,
    changed_by_first_name: changedBy?.firstName,
    changed_by_name: changedBy?.name,
    is_pending_deployment: own.isPendingDeployment,
    field_order: customFieldOrder?.fieldOrder,
  };
}
