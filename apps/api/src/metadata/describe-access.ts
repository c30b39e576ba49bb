import type { JsonObject } from './json.js';

/** How a request proves who asks. Either of them is enough; the header is recommended. */
export const securitySchemes: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token in the header: `Authorization: Bearer TOKEN`. Recommended.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: '$access_token',
    description: 'The access token in the address, for clients that cannot set a header.',
  },
};

export const security: readonly JsonObject[] = [{ bearer: [] }, { accessToken: [] }];
