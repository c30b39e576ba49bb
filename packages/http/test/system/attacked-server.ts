import { setTimeout as pause } from 'node:timers/promises';
import { errorCatalogue } from '@takt/catalogue/errors';
import { pino } from 'pino';
import { createAnswerError } from '../../src/answer-error.js';
import { startHttpServer } from '../../src/start-http-server.js';

// Runs a server in a process of its own, and prints the port. The limits are those of the apps, except the timeouts.

/** The time that the simulated database needs for a page, in ms. */
const PAGE_MS = 5;
/** The time that the simulated authentication of the sender of a body takes, in ms. */
const LOOK_UP_MS = 2_000;

const logger = pino({ level: 'silent' });
const server = await startHttpServer({
  host: '127.0.0.1',
  port: 0,
  basePath: '',
  service: {
    routes: [
      {
        path: '/page',
        answer: async () => {
          await pause(PAGE_MS);
          return {
            status: 200,
            headers: { 'Content-Type': 'text/plain' },
            body: ['page'],
            isStreamed: false,
          };
        },
      },
    ],
    answerError: createAnswerError({
      write: ({ code }) => ({
        status: errorCatalogue[code].status,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        body: [JSON.stringify({ code })],
        isStreamed: false,
      }),
      logger,
    }),
    findProblems: async () => [],
  },
  extraRoutes: [],
  bodyRoutes: [
    {
      path: '/body',
      contentTypes: ['application/json'],
      maxBytes: 4_000_000,
      answer: async () => ({ status: 204, headers: {}, body: [], isStreamed: false }),
    },
    {
      path: '/guarded',
      contentTypes: ['application/json'],
      maxBytes: 4_000_000,
      mayBring: async () => {
        await pause(LOOK_UP_MS);
        return false;
      },
      answer: async () => ({ status: 204, headers: {}, body: [], isStreamed: false }),
    },
  ],
  logger,
  // A busy machine may need longer than the default deadline of an answer.
  limits: { answerDeadlineMs: 30_000, maxWaitMs: 5_000 },
});
process.stdout.write(`port ${server.port}\n`);
