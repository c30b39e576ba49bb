import type { ApplicationVersionChanged, ProductStructureVersionChanged } from '@takt/events';

/** One object of the array that takt.apply_product_structure_version_changes takes. */
export function toStructureVersionChange(event: ProductStructureVersionChanged) {
  const { product, plannedProductionTimes, productStructureVersionId, type: _, ...own } = event;
  return {
    ...own,
    structureVersion: productStructureVersionId,
    productId: product.productId,
    productStatus: product.status,
    productName: product.name,
    productType: product.type,
    productDescription: product.description,
    ...plannedProductionTimes,
  };
}

/** One object of the array that takt.apply_application_version_changes takes: its keys are columns. */
export function toApplicationVersionRow({
  database,
  changedAt,
  applicationVersion,
}: ApplicationVersionChanged) {
  const { createdBy, restrictedToCompany, permission, changedBy, customFieldOrder, ...own } =
    applicationVersion;
  return {
    database,
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
