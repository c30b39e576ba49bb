import { runApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startIntake } from './start-intake.js';

await runApp('intake', ({ settings, options }) => {
  setMaxAhead(settings.maxAheadMs);
  return startIntake({
    ...options,
    port: settings.intakePort,
    apiUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
    limits: { maxConnectionsPerAddress: settings.connectionsPerAddress },
  });
});
