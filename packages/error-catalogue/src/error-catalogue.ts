import { accessErrors } from './definitions/access.js';
import { queryErrors } from './definitions/query.js';
import { resourceErrors } from './definitions/resource.js';
import { systemErrors } from './definitions/system.js';
import type { ErrorDefinition } from './error-definition.js';

/** Every error that the service can answer with, by the code that raises it. */
export const errorCatalogue = {
  ...systemErrors,
  ...accessErrors,
  ...queryErrors,
  ...resourceErrors,
} satisfies Readonly<Record<string, ErrorDefinition>>;

export type ErrorCode = keyof typeof errorCatalogue;
