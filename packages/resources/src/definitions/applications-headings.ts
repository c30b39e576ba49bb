import { inEveryLanguage } from '@takt/texts';
import { headings as versionHeadings } from './application-version-headings.js';
import { sharedHeadings } from './shared-texts.js';

/** Headings of applications and of the lists of their versions, by name. */
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
