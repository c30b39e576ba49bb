import type { StartApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startDashboard } from './start-dashboard.js';

/** Starts the dashboard with the settings of the environment. */
export const startProgram: StartApp = ({ settings, options }) => {
  setMaxAhead(settings.maxAheadMs);
  const { alarmWebhookUrl: url, alarmWebhookSecret: secret } = settings;
  return startDashboard({
    ...options,
    port: settings.dashboardPort,
    baseUrl: settings.dashboardUrl,
    home: settings.home,
    maxAheadMs: settings.maxAheadMs,
    apiUrl: settings.baseUrl,
    alarms: { rejectedPercent: settings.alarmRejectedPercent },
    webhook: url === undefined ? undefined : { url, secret },
  });
};
