import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Collection } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, requestedCompany, storedIn } from '../resource.js';
import { applicationVersion, status, headings as versionHeadings } from './application-version.js';
import { headings as applicationHeadings } from './applications.js';
import { itemsSql } from './items-sql.js';
import { sharedHeadings } from './shared-texts.js';

const headings = {
  Name: sharedHeadings.Name,
  Status: sharedHeadings.Status,
  UserId: versionHeadings.UserId,
  FirstName: versionHeadings.FirstName,
  CompanyId: versionHeadings.CompanyId,
  Database: versionHeadings.Database,
  PermissionId: versionHeadings.PermissionId,
  Permission: versionHeadings.Permission,
  ApplicationId: versionHeadings.ApplicationId,
  ApplicationVersionId: versionHeadings.ApplicationVersionId,
  ApplicationVersion: versionHeadings.ApplicationVersion,
  ApplicationVersionLink: applicationHeadings.ApplicationVersionLink,
  ...inEveryLanguage('named-by-applications', {
    User: 'User',
    UserSummary: 'A person who created or changed application versions.',
    Company: 'Company',
    CompanySummary: 'A company that application versions are restricted to, with these versions.',
    PermissionSummary: 'A permission that application versions need, with these versions.',
    ApplicationVersions: 'Newest application versions',
  }),
};

/*
 * The users, companies and permissions of the ERP have no tables here: they are known only because application versions
 * name them. They must not be confused with the people and companies of this service, whose tables the API does not
 * read.
 */

const { collection, group, integer, link, text } = fieldBuilders(headings);

const listed = alias(schema.applicationVersions, 'listed');
const version = alias(schema.applicationVersions, 'version');
const { clientPermission, duty } = applicationVersion;

/**
 * The order in which the names for one identifier are considered. If there are several, the newest name comes first; a
 * missing name comes last.
 */
const newestFirst = (name: SQLWrapper) =>
  sql`(${name} IS NULL), changed_at DESC, application_version_id DESC`;

const sourceOf = (table: SQLWrapper) => storedIn({ table, company: listed.companyId });

const MAX_VERSIONS = 100;

const versionItem = group('ApplicationVersion', 'An application version.', [
  integer('ApplicationVersionId', 'Unique identifier of the application version.', {
    from: version.applicationVersionId,
  }),
  integer('ApplicationId', 'Identifier of the application.', { from: version.applicationId }),
  integer('Status', 'Status of the application.', {
    from: version.status,
    isNullable: true,
    domain: status,
  }),
  text('Name', 'Name of the application.', { from: version.name }),
  link(
    'ApplicationVersionLink',
    'Reference to the application version.',
    '/system/applications/{}/versions/{}',
    { from: sql`json_build_array(${version.applicationId}, ${version.applicationVersionId})` },
  ),
]);

const versionsWith = (what: string, condition: SQLWrapper): Collection =>
  collection(
    'ApplicationVersions',
    `The application versions ${what}, highest identifier first; at most ${MAX_VERSIONS}.`,
    () => versionItem,
    {
      from: itemsSql({
        table: schema.applicationVersions,
        alias: sql`version`,
        where: sql`${version.companyId} = ${requestedCompany} AND ${condition}`,
        orderBy: sql`${version.applicationVersionId} DESC`,
        limit: MAX_VERSIONS,
      }),
    },
  );

const named = sql`named`;
const persons = (['created_by', 'changed_by'] as const).map(
  (by) =>
    sql`SELECT company_id, ${sql.raw(by)}_user_id AS user_id, ${sql.raw(by)}_first_name AS first_name, ${sql.raw(by)}_name AS name, changed_at, application_version_id, '${sql.raw(by)}' AS by FROM ${schema.applicationVersions} WHERE ${sql.raw(by)}_user_id IS NOT NULL`,
);

export const user = detailResource({
  identifier: 9010,
  version: 1,
  path: '/system/users/{userId}',
  element: 'User',
  title: headings.User,
  summary: headings.UserSummary,
  description: 'A person named by application versions, as in the newest of them. Beyond the specification.',
  clientPermission,
  // A reader who can see a UserLink already has this duty, so the link works for every such reader.
  duty: 'read-persons',
  fields: [
    integer('UserId', 'Identifier of the user.', { from: sql`listed.user_id` }),
    text('FirstName', 'First name.', { from: sql`listed.first_name`, isNullable: true }),
    text('Name', 'Last name.', { from: sql`listed.name`, isNullable: true }),
  ],
  source: sourceOf(
    sql`(SELECT DISTINCT ON (company_id, user_id) * FROM (${sql.join(persons, sql` UNION ALL `)}) AS ${named} ORDER BY company_id, user_id, ${newestFirst(sql`name`)}, by)`,
  ),
  pathParameters: [
    {
      name: 'userId',
      description: 'Identifier of the user.',
      minimum: 1,
      example: 501,
      column: sql`listed.user_id`,
    },
  ],
  notFound: 'userNotFound',
});

/** SQL that finds, for each value of a column, the application version with the newest name for this value. */
const newestBy = (column: 'restricted_to_company_id' | 'permission_id', name: SQLWrapper): SQLWrapper => {
  const identifier = sql.raw(column);
  return sql`(SELECT DISTINCT ON (company_id, ${identifier}) * FROM ${schema.applicationVersions} WHERE ${identifier} IS NOT NULL ORDER BY company_id, ${identifier}, ${newestFirst(name)})`;
};

export const company = detailResource({
  identifier: 9011,
  version: 1,
  path: '/system/companies/{companyId}',
  element: 'Company',
  title: headings.Company,
  summary: headings.CompanySummary,
  description: 'A company that application versions are restricted to. Beyond the specification.',
  clientPermission,
  duty,
  fields: [
    integer('CompanyId', 'Identifier of the company.', { from: listed.restrictedToCompanyId }),
    text('Database', 'Short code identifying the company database.', {
      from: listed.restrictedToDatabase,
      isNullable: true,
    }),
    versionsWith(
      'that are restricted to it',
      sql`${version.restrictedToCompanyId} = ${listed.restrictedToCompanyId}`,
    ),
  ],
  source: sourceOf(newestBy('restricted_to_company_id', sql`restricted_to_database`)),
  pathParameters: [
    {
      name: 'companyId',
      description: 'Identifier of the company.',
      minimum: 1,
      example: 1,
      column: listed.restrictedToCompanyId,
    },
  ],
  notFound: 'companyNotFound',
});

export const permission = detailResource({
  identifier: 9012,
  version: 1,
  path: '/system/permissions/{permissionId}',
  element: 'Permission',
  title: headings.Permission,
  summary: headings.PermissionSummary,
  description: 'A permission that application versions need. Beyond the specification.',
  clientPermission,
  duty,
  fields: [
    integer('PermissionId', 'Identifier of the permission.', { from: listed.permissionId }),
    text('Name', 'Name of the permission.', { from: listed.permissionName, isNullable: true }),
    versionsWith('that need it', sql`${version.permissionId} = ${listed.permissionId}`),
  ],
  source: sourceOf(newestBy('permission_id', sql`permission_name`)),
  pathParameters: [
    {
      name: 'permissionId',
      description: 'Identifier of the permission.',
      minimum: 1,
      example: 21,
      column: listed.permissionId,
    },
  ],
  notFound: 'permissionNotFound',
});
