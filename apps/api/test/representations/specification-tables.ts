/** The type of a field in the specification. The specification calls the type `digits` a string of digits. */
export type SpecifiedType = 'Integer' | 'Decimal' | 'String' | 'Boolean' | 'Datetime' | 'digits';

/**
 * A row of a table of the specification: a path, a type, and the expected value in the rows of the test. The value is
 * undefined if any value is right.
 */
export type SpecifiedField = readonly [path: string, type: SpecifiedType, value: unknown];

const BASE = 'https://takt.example/api';
const VERSION = 'ProductStructureVersion';
const PRODUCT = 'ProductStructureVersion.ProductStructure.Product';
const ACTUAL = 'AggregatedProductionTimes';

/** The fields of a list item of ProductStructureVersionAggregatedProductionTime. */
export const productionTimeTable: readonly SpecifiedField[] = [
  [`${VERSION}.ProductStructureVersionId`, 'Integer', 501],
  [`${VERSION}.Status`, 'Integer', 9],
  [`${VERSION}.Name`, 'String', 'Frame, welded'],
  [`${VERSION}.Version`, 'Integer', 12],
  [`${VERSION}.Revision`, 'String', 'B'],
  [`${PRODUCT}.ProductId`, 'Integer', 9_007_199_254_740_991],
  [`${PRODUCT}.Status`, 'Integer', 7],
  [`${PRODUCT}.Name`, 'String', 'Frame'],
  [`${PRODUCT}.Type`, 'String', 'KA'],
  [`${PRODUCT}.Description`, 'String', 'Frame of the conveyor'],
  [`${PRODUCT}.ProductLink`, 'String', `${BASE}/product/products/9007199254740991`],
  [`${VERSION}.ProductStructureVersionLink`, 'String', `${BASE}/product/structure-versions/501`],
  ['PlannedProductionTimes.Processing.RunTime', 'Decimal', 1.25],
  ['PlannedProductionTimes.Changeover.SetupTime', 'Decimal', 0.125],
  ['PlannedProductionTimes.Changeover.CleanupTime', 'Decimal', 0.0625],
  [`${ACTUAL}.NumberOfCompletedProductionWorkOrders`, 'Integer', 2],
  [`${ACTUAL}.Processing.AverageRunTime`, 'Decimal', 6],
  [`${ACTUAL}.Processing.ShortestRunTime`, 'Decimal', 4.5],
  [`${ACTUAL}.Processing.LongestRunTime`, 'Decimal', 7.5],
  [`${ACTUAL}.Processing.DeviationRunTime`, 'Decimal', 1.5],
  [`${ACTUAL}.Changeover.Setup.AverageSetupTime`, 'Decimal', 0.5],
  [`${ACTUAL}.Changeover.Setup.ShortestSetupTime`, 'Decimal', 0.3],
  [`${ACTUAL}.Changeover.Setup.LongestSetupTime`, 'Decimal', 0.7],
  [`${ACTUAL}.Changeover.Setup.DeviationSetupTime`, 'Decimal', 0.2],
  [`${ACTUAL}.Changeover.Cleanup.AverageCleanupTime`, 'Decimal', 13],
  [`${ACTUAL}.Changeover.Cleanup.ShortestCleanupTime`, 'Decimal', 10],
  [`${ACTUAL}.Changeover.Cleanup.LongestCleanupTime`, 'Decimal', 16],
  [`${ACTUAL}.Changeover.Cleanup.DeviationCleanupTime`, 'Decimal', 3],
];

/** The fields of a list item of ErrorMessage. */
export const errorMessageTable: readonly SpecifiedField[] = [
  ['ErrorMessageId', 'Integer', 123_456],
  ['Status', 'String', '4'],
  ['Namespace', 'String', 'query'],
  ['HttpStatusCode', 'Integer', 404],
  ['Message', 'String', 'Not found: {0}'],
  ['AvailableTranslations', 'String', 'eng'],
  ['CreatedBy', 'Integer', 77],
];

/**
 * The fields of the Paging object. The values belong to the second page of five rows with two rows per page. Other
 * tests check the page keys and links.
 */
export const pagingTable: readonly SpecifiedField[] = [
  ['PageSize', 'Integer', 2],
  ['Position', 'Integer', 3],
  ['Page', 'Integer', 2],
  ['FirstPageKey', 'String', undefined],
  ['FirstPage', 'String', undefined],
  ['PreviousPageKey', 'String', undefined],
  ['PreviousPage', 'String', undefined],
  ['NextPageKey', 'String', undefined],
  ['NextPage', 'String', undefined],
  ['LastPageKey', 'String', undefined],
  ['LastPage', 'String', undefined],
  ['Size', 'Integer', 5],
];

/** The fields of the detail ApplicationVersion. */
export const applicationVersionTable: readonly SpecifiedField[] = [
  ['ApplicationVersionId', 'Integer', 9_007_199_254_740_991],
  ['Status', 'Integer', 4],
  ['Type', 'String', 'WIDGET'],
  ['Name', 'String', 'Board'],
  ['DescriptiveName', 'String', 'Planning board'],
  ['Description', 'String', 'Shows <what> runs & when'],
  ['Namespace', 'String', 'planning'],
  ['MasterUrl', 'String', 'https://takt.example/board?a=1&b=2'],
  ['LookupKey', 'String', 'board'],
  ['LookupPriority', 'Integer', 0],
  ['ContentType', 'String', 'HTML5'],
  ['ChangeDescription', 'String', 'Größer'],
  ['CreatedAt', 'Datetime', '2026-03-01T10:34:56Z'],
  ['CreatedBy.UserId', 'Integer', 31],
  ['CreatedBy.FirstName', 'String', 'Ada'],
  ['CreatedBy.Name', 'String', 'Berg'],
  ['CreatedBy.UserLink', 'String', `${BASE}/system/users/31`],
  ['RestrictedToCompany.CompanyId', 'Integer', 41],
  ['RestrictedToCompany.Database', 'String', 'TEM-NO'],
  ['RestrictedToCompany.CompanyLink', 'String', `${BASE}/system/companies/41`],
  ['Permission.PermissionId', 'Integer', 51],
  ['Permission.Name', 'String', 'Plan'],
  ['Permission.PermissionLink', 'String', `${BASE}/system/permissions/51`],
  ['Scope', 'String', 'LOCAL'],
  ['IsChanged', 'Boolean', true],
  ['ChangedBy.UserId', 'Integer', 61],
  ['ChangedBy.Name', 'String', 'Dahl'],
  ['ChangedBy.FirstName', 'String', 'Bo'],
  ['ChangedBy.UserLink', 'String', `${BASE}/system/users/61`],
  ['IsPendingDeployment', 'Boolean', false],
  ['ApplicationId', 'Integer', 10_000],
  ['ApplicationLink', 'String', `${BASE}/system/applications/10000`],
  ['CustomFieldOrder.FieldOrder', 'String', '{"a":["b"]}'],
];

/** The fields of the Error object. */
export const errorTable: readonly SpecifiedField[] = [
  ['HTTPStatusCode', 'digits', '404'],
  ['HTTPStatusDescription', 'String', 'NotFound'],
  ['Message', 'String', undefined],
  ['TranslatedMessage', 'String', undefined],
  ['ErrorMessage.ErrorMessageId', 'Integer', undefined],
  ['ErrorMessage.ErrorMessageLink', 'String', undefined],
];

/** The form of the values of each type, in JSON and in XML. */
export const FORMS: Readonly<
  Record<SpecifiedType, { readonly isJson: (value: unknown) => boolean; readonly xml: RegExp }>
> = {
  Integer: { isJson: Number.isSafeInteger, xml: /^-?(0|[1-9]\d*)$/ },
  Decimal: { isJson: Number.isFinite, xml: /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/ },
  String: { isJson: (value) => typeof value === 'string', xml: /^/ },
  Boolean: { isJson: (value) => typeof value === 'boolean', xml: /^(true|false)$/ },
  Datetime: {
    isJson: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
    xml: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  },
  digits: { isJson: (value) => typeof value === 'string' && /^\d+$/.test(value), xml: /^\d+$/ },
};
