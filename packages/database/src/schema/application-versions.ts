import { boolean, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

export const applicationVersions = taktSchema.table(
  'application_versions',
  {
    companyId: integer('company_id').notNull(),
    applicationVersionId: wholeNumber('application_version_id').notNull(),
    applicationId: wholeNumber('application_id').notNull(),
    /** Newest application-version.changed.v1 taken in. */
    changedAt: instant('changed_at').notNull(),
    status: integer('status'),
    type: text('type').notNull(),
    name: text('name').notNull(),
    descriptiveName: text('descriptive_name'),
    description: text('description'),
    namespace: text('namespace'),
    masterUrl: text('master_url'),
    lookupKey: text('lookup_key'),
    lookupPriority: integer('lookup_priority'),
    contentType: text('content_type'),
    changeDescription: text('change_description'),
    createdAt: instant('created_at'),
    createdByUserId: wholeNumber('created_by_user_id'),
    createdByFirstName: text('created_by_first_name'),
    createdByName: text('created_by_name'),
    restrictedToCompanyId: wholeNumber('restricted_to_company_id'),
    restrictedToDatabase: text('restricted_to_database'),
    permissionId: wholeNumber('permission_id'),
    permissionName: text('permission_name'),
    scope: text('scope'),
    isChanged: boolean('is_changed'),
    changedByUserId: wholeNumber('changed_by_user_id'),
    changedByFirstName: text('changed_by_first_name'),
    changedByName: text('changed_by_name'),
    isPendingDeployment: boolean('is_pending_deployment'),
    /** CustomFieldOrder.FieldOrder: JSON as its writer sent it, never parsed here. */
    fieldOrder: text('field_order'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.applicationVersionId] })],
);
