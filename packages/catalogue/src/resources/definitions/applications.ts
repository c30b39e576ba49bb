import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, listResource, storedIn } from '../resource.js';
import {
  applicationVersion,
  contentType,
  scope,
  status,
  type,
  headings as versionHeadings,
} from './application-version.js';
import { sharedHeadings } from './shared-texts.js';

export const headings = {
  ...sharedHeadings,
  ApplicationId: versionHeadings.ApplicationId,
  ApplicationVersionId: versionHeadings.ApplicationVersionId,
  DescriptiveName: versionHeadings.DescriptiveName,
  ContentType: versionHeadings.ContentType,
  ChangeDescription: versionHeadings.ChangeDescription,
  CreatedAt: versionHeadings.CreatedAt,
  Scope: versionHeadings.Scope,
  IsChanged: versionHeadings.IsChanged,
  IsPendingDeployment: versionHeadings.IsPendingDeployment,
  ...inEveryLanguage('applications', {
    Applications: 'Applications',
    ApplicationsSummary: 'The applications and widgets, as their newest versions describe them.',
    Application: 'Application',
    ApplicationSummary: 'One application or widget, as its newest version describes it.',
    NumberOfVersions: 'Versions',
    ApplicationVersionLink: 'Link to the version',
    VersionsLink: 'Link to the versions',
    ApplicationVersions: 'Versions of an application',
    ApplicationVersionsSummary: 'Every version of one application, in the order of their identifiers.',
  }),
};

const { boolean, instant, integer, link, text } = fieldBuilders(headings);

const listed = alias(schema.applicationVersions, 'listed');
const { clientPermission, duty } = applicationVersion;

const applicationId = integer('ApplicationId', 'Identifier of the application.', {
  from: listed.applicationId,
  queryName: true,
});
/** A collation is set here, because the collation of the column does not sort names as people expect. */
const name = text('Name', 'Name of the application.', {
  from: sql`(${listed.name} COLLATE "und-x-icu")`,
  queryName: true,
});
const descriptiveName = text('DescriptiveName', 'Descriptive name.', {
  from: listed.descriptiveName,
  filterName: 'DescriptiveName',
  isNullable: true,
});
const versionLink = link(
  'ApplicationVersionLink',
  'Reference to the application version.',
  '/system/applications/{}/versions/{}',
  { from: sql`json_build_array(${listed.applicationId}, ${listed.applicationVersionId})` },
);

/** The fields of an application that are taken from one of its versions. */
const described = [
  integer('Status', 'Status of the application.', {
    from: listed.status,
    filterName: 'Status',
    isNullable: true,
    domain: status,
  }),
  text('Type', 'Type of HTML5 component, used for widgets.', {
    from: listed.type,
    filterName: 'Type',
    domain: type,
  }),
  name,
  descriptiveName,
  text('Description', 'Descriptive tag of the application or component.', {
    from: listed.description,
    isNullable: true,
  }),
  text('Namespace', 'Namespace of the application.', {
    from: listed.namespace,
    filterName: 'Namespace',
    isNullable: true,
  }),
];

const fields = [
  applicationId,
  ...described,
  integer('NumberOfVersions', 'Number of its versions.', { from: sql`listed.number_of_versions` }),
  versionLink,
  link('VersionsLink', 'Reference to the list of its versions.', '/system/applications/{}/versions', {
    from: listed.applicationId,
  }),
];

/**
 * There is no table of applications: an application exists only through its versions. It is described by the version
 * with the highest identifier.
 */
const source = storedIn({
  table: sql`(SELECT DISTINCT ON (company_id, application_id) *, count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions FROM ${schema.applicationVersions} ORDER BY company_id, application_id, application_version_id DESC)`,
  company: listed.companyId,
});

export const applications = listResource({
  identifier: 9007,
  version: 1,
  path: '/system/applications',
  element: 'Application',
  container: 'Applications',
  title: headings.Applications,
  summary: headings.ApplicationsSummary,
  description: 'The applications, each as its newest version describes it. Beyond the specification.',
  clientPermission,
  duty,
  fields,
  source,
  key: applicationId,
  searched: [name, descriptiveName, applicationId],
  itemPath: '/system/applications/{}',
});

const applicationParameter = {
  name: 'applicationId',
  description: 'Identifier of the application.',
  minimum: 10_000,
  column: listed.applicationId,
} as const;

export const application = detailResource({
  identifier: 9008,
  version: 1,
  path: '/system/applications/{applicationId}',
  element: 'Application',
  title: headings.Application,
  summary: headings.ApplicationSummary,
  description: 'One application as its newest version describes it. Beyond the specification.',
  clientPermission,
  duty,
  fields,
  source,
  pathParameters: [applicationParameter],
  notFound: 'applicationNotFound',
});

const versionKey = integer('ApplicationVersionId', 'Unique identifier of the application version.', {
  from: listed.applicationVersionId,
  queryName: true,
});

export const applicationVersions = listResource({
  identifier: 9009,
  version: 1,
  path: '/system/applications/{applicationId}/versions',
  pathParameters: [applicationParameter],
  parent: application,
  element: 'ApplicationVersion',
  container: 'ApplicationVersions',
  title: headings.ApplicationVersions,
  summary: headings.ApplicationVersionsSummary,
  description: 'The versions of one application. Beyond the specification.',
  clientPermission,
  duty,
  fields: [
    versionKey,
    ...described,
    text('ContentType', 'Content type.', {
      from: listed.contentType,
      isNullable: true,
      domain: contentType,
    }),
    text('ChangeDescription', 'Version description.', { from: listed.changeDescription, isNullable: true }),
    instant('CreatedAt', 'When this version was created.', { from: listed.createdAt, isNullable: true }),
    text('Scope', 'GLOBAL objects are available in all systems; LOCAL objects only in the current system.', {
      from: listed.scope,
      filterName: 'Scope',
      isNullable: true,
      domain: scope,
    }),
    boolean('IsChanged', 'Changed locally and ready to be committed to the repository.', {
      from: listed.isChanged,
      isNullable: true,
    }),
    boolean('IsPendingDeployment', 'Changed locally and ready to be deployed from the repository.', {
      from: listed.isPendingDeployment,
      isNullable: true,
    }),
    versionLink,
  ],
  source: { ...source, table: schema.applicationVersions },
  key: versionKey,
  searched: [name, descriptiveName, versionKey],
  itemPath: '/system/applications/{applicationId}/versions/{}',
});
