import { ServiceError } from '@takt/error-catalogue';
import { withDeadline } from '@takt/runtime';
import type { Route } from '../answer.js';
import type { HttpLimits } from '../limits.js';
import { sendAnswer } from '../send-answer.js';

import type { RouteRow } from './create-router.js';

/**
 * The resources, at most `maxInFlight` requests for them at a time: one more is told at once to come again, rather
 * than making all of them late. Each is answered within the deadline, whatever the database does.
 */
export function resourceRoutes(routes: readonly Route[], limits: HttpLimits): readonly RouteRow[] {
  const { maxInFlight, answerDeadlineMs } = limits;
  let inFlight = 0;
  const tooLate = () => {
    throw new ServiceError('databaseUnavailable');
  };
  return routes.map((route) => ({
    path: route.path.replace(/\{(\w+)\}/g, ':$1'),
    template: route.path,
    answer: async (ctx, pathParameters) => {
      if (inFlight >= maxInFlight) throw new ServiceError('overloaded');
      inFlight += 1;
      try {
        const request = { ...ctx.state.request, pathParameters };
        sendAnswer(ctx, await withDeadline(route.answer(request), answerDeadlineMs, tooLate));
      } finally {
        inFlight -= 1;
      }
    },
  }));
}
