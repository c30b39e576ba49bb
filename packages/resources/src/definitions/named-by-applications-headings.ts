import { inEveryLanguage } from '@takt/texts';
import { headings as versionHeadings } from './application-version-headings.js';
import { headings as applicationHeadings } from './applications-headings.js';
import { sharedHeadings } from './shared-texts.js';

/** Headings of users, companies and permissions that application versions name. */
export const headings = {
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
    CompanySummary: 'A company that application versions are restricted to, and which these are.',
    PermissionSummary: 'A permission that application versions need, and which these are.',
    ApplicationVersions: 'Newest application versions',
  }),
};
