import { inEveryLanguage } from '@takt/texts';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Domain, Field } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, storedIn } from '../resource.js';
import { lifecycle, sharedHeadings } from './shared-texts.js';

export const headings = {
  ...sharedHeadings,
  ...inEveryLanguage('application-version', {
    ApplicationVersion: 'Application version',
    ApplicationVersionId: 'Application version ID',
    DescriptiveName: 'Descriptive name',
    MasterUrl: 'Master URL',
    LookupKey: 'Lookup key',
    LookupPriority: 'Lookup priority',
    ContentType: 'Content type',
    ChangeDescription: 'What changed',
    CreatedAt: 'Created at',
    UserId: 'User ID',
    FirstName: 'First name',
    UserLink: 'Link to the user',
    RestrictedToCompany: 'Restricted to company',
    CompanyId: 'Company ID',
    Database: 'Database',
    CompanyLink: 'Link to the company',
    Permission: 'Permission',
    PermissionId: 'Permission ID',
    PermissionLink: 'Link to the permission',
    Scope: 'Scope',
    IsChanged: 'Changed locally',
    ChangedBy: 'Changed by',
    IsPendingDeployment: 'Pending deployment',
    ApplicationId: 'Application ID',
    ApplicationLink: 'Link to the application',
    CustomFieldOrder: 'Custom field order',
    FieldOrder: 'Field order',
    ApplicationVersionSummary:
      'One version of an application or widget: what it is, who made it and who may use it.',
  }),
};

export const status: Domain = {
  object: 'Application',
  field: 'Status',
  values: {
    '1': lifecycle.new,
    '4': lifecycle.active,
    '9': lifecycle.obsolete,
  },
};

export const scope: Domain = {
  object: 'Application',
  field: 'Scope',
  values: inEveryLanguage('Application.Scope', {
    GLOBAL: 'available in all systems',
    LOCAL: 'available in this system only',
  }),
};

export const type: Domain = {
  object: 'Application',
  field: 'Type',
  values: inEveryLanguage('Application.Type', {
    APPLICATION: 'application',
    WIDGET: 'widget',
    COMPONENT: 'component',
  }),
};

export const contentType: Domain = {
  object: 'Application',
  field: 'ContentType',
  values: inEveryLanguage('Application.ContentType', {
    HTML5: 'HTML5 page',
    LINK: 'link to an address',
  }),
};

const { boolean, group, instant, integer, link, text } = fieldBuilders(headings);

const version = alias(schema.applicationVersions, 'listed');

const optional = true;
const userLink = (from: NonNullable<Field['source']>): Field =>
  link('UserLink', 'Reference to the user.', '/system/users/{}', { from, isNullable: optional });

export const applicationVersion = detailResource({
  identifier: 2578,
  version: 38,
  path: '/system/applications/{applicationId}/versions/{applicationVersionId}',
  element: 'ApplicationVersion',
  title: headings.ApplicationVersion,
  summary: headings.ApplicationVersionSummary,
  description: 'One version of an application: a registered component or widget of the user interface.',
  clientPermission: 'application-versions',
  duty: 'read-application-versions',
  fields: [
    integer('ApplicationVersionId', 'Unique identifier of the application version.', {
      from: version.applicationVersionId,
    }),
    integer('Status', 'Status of the application.', {
      from: version.status,
      isNullable: optional,
      domain: status,
    }),
    text('Type', 'Type of HTML5 component, used for widgets.', {
      from: version.type,
      domain: type,
    }),
    text('Name', 'Name of the application.', { from: version.name }),
    text('DescriptiveName', 'Descriptive name.', { from: version.descriptiveName, isNullable: optional }),
    text('Description', 'Descriptive tag of the application or component.', {
      from: version.description,
      isNullable: optional,
    }),
    text('Namespace', 'Namespace of the application.', { from: version.namespace, isNullable: optional }),
    text('MasterUrl', 'URL of the application.', { from: version.masterUrl, isNullable: optional }),
    text('LookupKey', 'Matching keyword.', { from: version.lookupKey, isNullable: optional }),
    integer(
      'LookupPriority',
      'Priority used when a lookup selects among applications with the same application match.',
      { from: version.lookupPriority, isNullable: optional },
    ),
    text('ContentType', 'Content type.', {
      from: version.contentType,
      isNullable: optional,
      domain: contentType,
    }),
    text('ChangeDescription', 'Version description.', {
      from: version.changeDescription,
      isNullable: optional,
    }),
    instant('CreatedAt', 'When this version was created.', {
      from: version.createdAt,
      isNullable: optional,
    }),
    group(
      'CreatedBy',
      'Person who created the version.',
      [
        integer('UserId', 'Identifier of the user.', { from: version.createdByUserId, isNullable: optional }),
        text('FirstName', 'First name.', { from: version.createdByFirstName, isNullable: optional }),
        text('Name', 'Last name.', { from: version.createdByName, isNullable: optional }),
        userLink(version.createdByUserId),
      ],
      { duty: 'read-persons' },
    ),
    group('RestrictedToCompany', 'Company the application is restricted to.', [
      integer('CompanyId', 'Identifier of the company.', {
        from: version.restrictedToCompanyId,
        isNullable: optional,
      }),
      text('Database', 'Short code identifying the company database.', {
        from: version.restrictedToDatabase,
        isNullable: optional,
      }),
      link('CompanyLink', 'Reference to the company.', '/system/companies/{}', {
        from: version.restrictedToCompanyId,
        isNullable: optional,
      }),
    ]),
    group('Permission', 'Permission needed to use the application.', [
      integer('PermissionId', 'Identifier of the permission.', {
        from: version.permissionId,
        isNullable: optional,
      }),
      text('Name', 'Name of the permission.', { from: version.permissionName, isNullable: optional }),
      link('PermissionLink', 'Reference to the permission.', '/system/permissions/{}', {
        from: version.permissionId,
        isNullable: optional,
      }),
    ]),
    text('Scope', 'GLOBAL objects are available in all systems; LOCAL objects only in the current system.', {
      from: version.scope,
      isNullable: optional,
      domain: scope,
    }),
    boolean('IsChanged', 'Changed locally and ready to be committed to the repository.', {
      from: version.isChanged,
      isNullable: optional,
    }),
    group(
      'ChangedBy',
      'The person who made the change.',
      [
        integer('UserId', 'Identifier of the user.', { from: version.changedByUserId, isNullable: optional }),
        text('Name', 'Last name.', { from: version.changedByName, isNullable: optional }),
        text('FirstName', 'First name.', { from: version.changedByFirstName, isNullable: optional }),
        userLink(version.changedByUserId),
      ],
      { duty: 'read-persons' },
    ),
    boolean('IsPendingDeployment', 'Changed locally and ready to be deployed from the repository.', {
      from: version.isPendingDeployment,
      isNullable: optional,
    }),
    integer(
      'ApplicationId',
      'Wrapper application: the id of the main application; wrapper applications give different match names to one application.',
      { from: version.applicationId },
    ),
    link('ApplicationLink', 'Reference to the application.', '/system/applications/{}', {
      from: version.applicationId,
    }),
    group('CustomFieldOrder', 'The field order that a customer chose.', [
      text('FieldOrder', 'JSON text describing the order of fields within components of the application.', {
        from: version.fieldOrder,
        isNullable: optional,
      }),
    ]),
  ],
  source: storedIn({
    table: schema.applicationVersions,
    company: version.companyId,
  }),
  pathParameters: [
    {
      name: 'applicationId',
      description: 'Identifier of the application.',
      minimum: 10_000,
      column: version.applicationId,
    },
    {
      name: 'applicationVersionId',
      description: 'Identifier of the application version.',
      minimum: 100,
      column: version.applicationVersionId,
    },
  ],
  notFound: 'permissionNotFound',
});
