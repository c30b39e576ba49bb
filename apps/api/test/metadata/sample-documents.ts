/**
 * The documents in this file are written by hand from the specification, in the form in which the service must write
 * them.
 */
const BASE_URL = 'https://takt.example/api';

const listLinks = (path: string) => ({
  firstPage: `${BASE_URL}${path}?$pageKey=first`,
  previousPage: null,
  nextPage: `${BASE_URL}${path}?$pageKey=next`,
  lastPage: `${BASE_URL}${path}?$pageKey=last`,
});

export const errorMessagesDocument = {
  errorMessages: [
    {
      errorMessageId: 101015,
      status: '4',
      namespace: 'resource',
      httpStatusCode: 404,
      message: 'Permission not found',
      availableTranslations: 'eng,nob',
      createdBy: 1,
    },
  ],
  paging: { pageSize: 10, position: 1, page: 1, ...listLinks('/system/error-messages') },
};

export const productionTimesDocument = {
  productStructureVersionAggregatedProductionTimes: [
    {
      productStructureVersion: {
        productStructureVersionId: 7,
        status: 4,
        name: 'Bracket <left>',
        version: 1,
        revision: 'A',
        productStructure: {
          product: {
            productId: 3,
            status: 4,
            name: 'Bracket',
            type: 'K',
            description: 'Bracket, made to order',
            productLink: `${BASE_URL}/product/products/3`,
          },
        },
        productStructureVersionLink: `${BASE_URL}/product/structure-versions/7`,
      },
      plannedProductionTimes: {
        processing: { runTime: 1.5 },
        changeover: { setupTime: 0.25, cleanupTime: null },
      },
      aggregatedProductionTimes: {
        numberOfCompletedProductionWorkOrders: 0,
        processing: {
          averageRunTime: null,
          shortestRunTime: null,
          longestRunTime: null,
          deviationRunTime: null,
        },
        changeover: {
          setup: {
            averageSetupTime: 0.333333,
            shortestSetupTime: 0.3,
            longestSetupTime: 0.4,
            deviationSetupTime: 0,
          },
          cleanup: {
            averageCleanupTime: null,
            shortestCleanupTime: null,
            longestCleanupTime: null,
            deviationCleanupTime: null,
          },
        },
      },
    },
  ],
  paging: {
    pageSize: 10,
    position: 1,
    page: 1,
    ...listLinks('/product/structure-versions/aggregated-production-times'),
  },
};

const createdBy = { userId: 5, firstName: 'Kari', name: 'Hansen', userLink: `${BASE_URL}/system/users/5` };

export const applicationVersionDocument = {
  applicationVersion: {
    applicationVersionId: 101,
    status: 4,
    type: 'WIDGET',
    name: 'TimesOfWork',
    descriptiveName: 'Times of work',
    description: null,
    namespace: null,
    masterUrl: null,
    lookupKey: null,
    lookupPriority: 10,
    contentType: 'HTML5',
    changeDescription: null,
    createdAt: '2026-01-02T03:04:05Z',
    createdBy,
    restrictedToCompany: { companyId: null, database: null, companyLink: null },
    permission: { permissionId: null, name: null, permissionLink: null },
    scope: 'GLOBAL',
    isChanged: false,
    changedBy: { userId: null, name: null, firstName: null, userLink: null },
    isPendingDeployment: null,
    applicationId: 10001,
    applicationLink: `${BASE_URL}/system/applications/10001`,
    customFieldOrder: { fieldOrder: null },
  },
};

export const errorMessageDocument = {
  errorMessage: {
    ...errorMessagesDocument.errorMessages[0],
    technicalDescription: 'Check the identifiers.',
    translations: [
      { language: 'eng', message: 'Permission not found' },
      { language: 'nob', message: 'Fant ikke tillatelsen' },
    ],
  },
};

const innerError = {
  message: 'The field Nme is not known.',
  translatedMessage: 'Feltet Nme er ukjent.',
  errorMessage: { errorMessageId: 100200, errorMessageLink: `${BASE_URL}/system/error-messages/100200` },
  parameters: [{ index: 0, value: 'Nme' }],
  innerErrors: [],
};

export const errorDocument = {
  hTTPStatusCode: '400',
  hTTPStatusDescription: 'BadRequest',
  ...innerError,
  innerErrors: [{ ...innerError, innerErrors: [innerError] }],
};

export const pageKeys = {
  firstPageKey: 'a',
  previousPageKey: null,
  nextPageKey: 'b',
  lastPageKey: 'c',
};
