import type { ErrorDefinitions } from '../error-definition.js';

/** The errors of authentication and of permissions. Their identifiers are 100100 to 100199. */
export const accessErrors = {
  invalidAccessToken: {
    errorMessageId: 100100,
    status: 403,
    namespace: 'access',
    parameters: [],
    technicalDescription:
      'The access token is missing, malformed, unknown, expired or revoked; the error does not say which. Request a new token and send it in the header Authorization: Bearer, or else in the parameter $access_token.',
    wwwAuthenticate: 'Bearer error="invalid_token"',
    text: 'Invalid $access_token: it is missing, malformed, unknown, expired or revoked. Get a new one and send it as Authorization: Bearer <token>.',
  },
  companyNotPermitted: {
    errorMessageId: 100101,
    status: 403,
    namespace: 'access',
    parameters: ['database'],
    technicalDescription:
      'The parameter $db names a company that is not one of the access token. The error does not say if that company exists. Set $db to a company of the token, or leave it out to work in the default company.',
    text: 'The access token gives no access to the company “{0}”. Set $db to a company of the token, or leave it out to use the default company.',
  },
  permissionMissing: {
    errorMessageId: 100102,
    status: 403,
    namespace: 'access',
    parameters: ['permission'],
    technicalDescription:
      'The API client of the access token is not permitted to read this resource, whoever is signed in. An administrator permits it with “takt client permit ID RESOURCE”; a token in use has the new right within seconds.',
    wwwAuthenticate: 'Bearer error="insufficient_scope"',
    text: 'The API client of this access token lacks the permission “{0}”. Ask an administrator to permit it, or use a client that has it.',
  },
  dutyMissing: {
    errorMessageId: 100103,
    status: 403,
    namespace: 'access',
    parameters: ['duty'],
    technicalDescription:
      'The signed-in person, or the API client that acts for itself, lacks the duty that this resource needs. An administrator gives it with “takt user duty PID DUTY” or “takt client duty ID DUTY”; a token in use has the new right within seconds.',
    wwwAuthenticate: 'Bearer error="insufficient_scope"',
    text: 'You lack the duty “{0}”, which this resource needs. Ask an administrator to assign it to you.',
  },
  tokenBudgetSpent: {
    errorMessageId: 100104,
    status: 500,
    namespace: 'access',
    parameters: ['limit'],
    technicalDescription:
      'More requests were made with this access token within a minute than the limit. Nothing was done; repeat the request after the seconds of the Retry-After header. The operator of the service sets the limit with TAKT_REQUESTS_PER_MINUTE.',
    retryAfterSeconds: 3,
    text: 'More than {0} requests in a minute were made with this access token. Try again after the time given in Retry-After.',
  },
  personNeeded: {
    errorMessageId: 100105,
    status: 403,
    namespace: 'access',
    parameters: ['database'],
    technicalDescription:
      'Saved views belong to a person, and the access token has no person, or is not for this company. Sign in as a person, with a user number and a password.',
    text: 'Saved views in the company “{0}” belong to a user, and this access token is nobody’s. Sign in with a user number and a password.',
  },
  foreignForm: {
    errorMessageId: 100106,
    status: 403,
    namespace: 'access',
    parameters: [],
    technicalDescription:
      'The form was not sent by a page of this service, as the headers Sec-Fetch-Site or Origin say. Nothing was done. Send the form from the page itself.',
    text: 'A page of another service has sent this form, so nothing was done. Open this page and send the form from it.',
  },
} as const satisfies ErrorDefinitions<'access'>;
