import type { StartApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startIntake } from './start-intake.js';

/** Starts the intake with the settings of the environment. */
export const startProgram: StartApp = ({ settings, options }) => {
  setMaxAhead(settings.maxAheadMs);
  return startIntake({
    ...options,
    port: settings.intakePort,
    apiUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
  });
};
