import { inEveryLanguage } from '@takt/texts';

import { sharedHeadings } from './shared-texts.js';

/** Headings of an application version, by name. */
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
