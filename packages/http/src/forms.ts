import type { BodyRoute, FormRoute } from './answer.js';

/** A route of forms as one that takes a body. */
export function takeForms({ path, answer }: FormRoute, maxBytes: number): BodyRoute {
  return {
    path,
    contentTypes: ['application/x-www-form-urlencoded'],
    maxBytes,
    answer: ({ body, ...request }) =>
      answer({ ...request, formText: body.fault === undefined ? body.bytes.toString() : undefined }),
  };
}
