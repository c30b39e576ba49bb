import type { ApiAnswer, ApiRequest, BodyRoute } from '@takt/http';

const MAX_FORM_BYTES = 16_384;

export interface FormRequest extends ApiRequest {
  /** The undecoded body. Undefined if there is no body, or if the body is too large, late or no form. */
  readonly formText: string | undefined;
}

/**
 * Makes a route that takes a form (POST, application/x-www-form-urlencoded) of up to 16 KB.
 * @param answer answers the request; never rejects, because failures are answers too
 */
export function formRoute(path: string, answer: (request: FormRequest) => Promise<ApiAnswer>): BodyRoute {
  return {
    path,
    contentTypes: ['application/x-www-form-urlencoded'],
    maxBytes: MAX_FORM_BYTES,
    answer: ({ body, ...request }) =>
      answer({ ...request, formText: body.problem === undefined ? body.bytes.toString() : undefined }),
  };
}
