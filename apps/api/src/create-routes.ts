import type { FindToken } from '@takt/access';
import { savedViews } from '@takt/catalogue/resources';
import type { BodyRoute, Service, StaticRoute } from '@takt/http';
import { assetRoutes } from '@takt/pages';
import { createBatchRoute } from './batch/answer-batch.js';
import type { CountBatched } from './batch/batch-metrics.js';
import { docsRoutes } from './docs/docs-routes.js';
import { metadataRoutes } from './metadata/describe-oauth.js';
import { staticRoutes } from './metadata/static-routes.js';
import { createOAuthRoutes } from './oauth/create-oauth-routes.js';
import { createSignIns } from './oauth/sign-ins.js';
import type { ApiDependencies } from './respond/answer-resource.js';
import { createService } from './service/create-service.js';
import { formRoute } from './service/form-route.js';
import { answerSavedViewForm } from './service/saved-views-route.js';

/** All routes of the HTTP server except health and metrics. */
interface ServedRoutes {
  readonly service: Service;
  readonly bodyRoutes: readonly BodyRoute[];
  readonly extraRoutes: readonly StaticRoute[];
  readonly rootRoutes: readonly StaticRoute[];
}

/**
 * @param takeToken looks up the token of a request for a resource; it also counts the request and records that the
 * token was used. Signing in uses api.findToken instead, which does neither
 * @param countBatched called for each answer inside a batch
 */
export function createRoutes(
  api: ApiDependencies,
  takeToken: FindToken = api.findToken,
  countBatched: CountBatched = () => undefined,
): ServedRoutes {
  const { baseUrl } = api;
  const service = createService({ ...api, findToken: takeToken, findTokenAgain: api.findToken });
  const { answerError } = service;
  const batch = createBatchRoute({ ...api, routes: service.routes, answerError, countBatched });
  const oauth = createOAuthRoutes({ ...api, signIns: createSignIns(api.pool), answerError });
  const metadata = metadataRoutes(baseUrl);
  return {
    service: {
      ...service,
      routes: [...service.routes, batch, ...oauth.routes, ...docsRoutes({ ...api, answerError })],
    },
    bodyRoutes: [
      ...oauth.bodyRoutes,
      formRoute(savedViews.path, (request) =>
        answerSavedViewForm(request, api).catch((thrown: unknown) => answerError(thrown, request)),
      ),
    ],
    extraRoutes: [...staticRoutes(baseUrl), ...assetRoutes, ...metadata.below],
    rootRoutes: metadata.atRoot,
  };
}
