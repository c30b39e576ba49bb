import type { ErrorDefinitions } from '../error-definition.js';

/**
 * The errors of the object that the path names. Their identifiers are 100300 to 100399, and some identifiers that the
 * followed service uses.
 */
export const resourceErrors = {
  invalidIdentifier: {
    errorMessageId: 100300,
    status: 400,
    namespace: 'resource',
    parameters: ['name', 'found', 'minimum'],
    technicalDescription:
      'An identifier in the path is not an integer, or is below the minimum for its kind of object. Take identifiers from a list or a link of the service.',
    text: 'The {0} in the path cannot be “{1}”. Give an integer of at least {2}.',
  },
  errorMessageNotFound: {
    errorMessageId: 100301,
    status: 404,
    namespace: 'resource',
    parameters: ['errorMessageId'],
    technicalDescription:
      'No error message has this identifier. The list of error messages contains every error of the service.',
    text: 'There is no error message {0}. Look up its identifier in the list of error messages.',
  },
  savedViewNotFound: {
    errorMessageId: 100307,
    status: 404,
    namespace: 'resource',
    parameters: ['savedViewId'],
    technicalDescription:
      'The person has no saved view with this identifier in this company. It was deleted, or belongs to somebody else: only the person who saved a view may share or delete it.',
    text: 'You have no saved view {0}: it is deleted, or somebody else saved it. Open the list of saved views.',
  },
  savedViewsFull: {
    errorMessageId: 100308,
    status: 400,
    namespace: 'resource',
    parameters: ['limit'],
    technicalDescription:
      'The person has reached the limit of saved views in a company. Delete one first, or save under an existing name.',
    text: 'You already have {0} saved views in this company, and no more are possible. Delete one of them first.',
  },
  structureVersionNotFound: {
    errorMessageId: 100302,
    status: 404,
    namespace: 'resource',
    parameters: ['productStructureVersionId'],
    technicalDescription:
      'No product structure version of this company has this identifier, or its master data have not arrived. Take identifiers from the list of product structure versions, and check the company in $db.',
    text: 'There is no product structure version {0} in this company. Look up its identifier in the list of structure versions.',
  },
  operationNotFound: {
    errorMessageId: 100309,
    status: 404,
    namespace: 'resource',
    parameters: ['workOrderOperationId'],
    technicalDescription:
      'No completed operation of this company has this identifier. It may have been reopened, or pruned. Take identifiers from the operations of a product structure version, and check the company in $db.',
    text: 'There is no completed operation {0} in this company: it may have been reopened or pruned. Look it up in the operations of its structure version.',
  },
  productNotFound: {
    errorMessageId: 100303,
    status: 404,
    namespace: 'resource',
    parameters: ['productId'],
    technicalDescription:
      'No product of this company has this identifier. Take identifiers from the list of products, and check the company in $db.',
    text: 'There is no product {0} in this company. Look up its identifier in the list of products.',
  },
  applicationNotFound: {
    errorMessageId: 100304,
    status: 404,
    namespace: 'resource',
    parameters: ['applicationId'],
    technicalDescription:
      'No version of an application with this identifier is stored for this company. Take identifiers from the list of applications, and check the company in $db.',
    text: 'There is no application {0} in this company. Look up its identifier in the list of applications.',
  },
  userNotFound: {
    errorMessageId: 100305,
    status: 404,
    namespace: 'resource',
    parameters: ['userId'],
    technicalDescription:
      'No application version of this company names a person with this identifier as creator or last editor. Follow a UserLink, and check the company in $db.',
    text: 'No application version of this company names a user {0}. Follow the link of an application version.',
  },
  companyNotFound: {
    errorMessageId: 100306,
    status: 404,
    namespace: 'resource',
    parameters: ['companyId'],
    technicalDescription:
      'No application version of the company in $db is restricted to a company with this identifier. Follow a CompanyLink.',
    text: 'No application version is restricted to a company {0}. Follow the link of an application version.',
  },
  permissionNotFound: {
    errorMessageId: 101015,
    status: 404,
    namespace: 'resource',
    parameters: [],
    technicalDescription:
      'There is no such application version in this company, or in none at all; the error does not say which. Or none of its application versions needs a permission with this identifier. Check the identifiers in the path, and the company in $db.',
    // Clients know this identifier together with exactly this text. So the text does not name the permission and gives
    // no advice.
    text: 'Permission not found',
  },
} as const satisfies ErrorDefinitions<'resource'>;
