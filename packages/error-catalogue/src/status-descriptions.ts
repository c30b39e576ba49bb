/** The only HTTP statuses that the service answers a failed request with. */
export type HttpStatus = 400 | 403 | 404 | 500;

/** The one-word description of each status, served as `hTTPStatusDescription`. */
export const statusDescriptions: Readonly<Record<HttpStatus, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
};
