import { runApp } from '@takt/database/app';
import { startIntake } from './start-intake.js';

await runApp('intake', ({ settings, options }) =>
  startIntake({
    ...options,
    port: settings.intakePort,
    apiUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
    limits: { maxConnectionsPerAddress: settings.connectionsPerAddress },
  }),
);
