import type { Mount } from '@takt/http';
import { OPERATIONS_PATH } from '@takt/pages';

/**
 * Leads from the address of the operator's pages below the API to the app that serves them. Behind the proxy, requests
 * for these addresses do not reach the API. Without the proxy, the apps have ports of their own, and pages link to one
 * address all the same.
 */
export function operationsRedirect(baseUrl: string, dashboardUrl: string | undefined): readonly Mount[] {
  // At the address of the proxy, the API would lead to itself.
  if (dashboardUrl === undefined || dashboardUrl === baseUrl + OPERATIONS_PATH) return [];
  const prefix = `${OPERATIONS_PATH}/`;
  return [
    {
      prefix,
      answer: async ({ path, queryText }) => ({
        status: 303,
        headers: {
          Location: `${dashboardUrl}/${path.slice(prefix.length)}${queryText === '' ? '' : `?${queryText}`}`,
          'Content-Type': 'text/plain; charset=utf-8',
          'Cache-Control': 'no-store',
        },
        body: Buffer.alloc(0),
        isStreamed: false,
      }),
    },
  ];
}
