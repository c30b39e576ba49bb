import { runApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startDashboard } from './start-dashboard.js';

await runApp('dashboard', ({ settings, options }) => {
  setMaxAhead(settings.maxAheadMs);
  const { alarmWebhookUrl: url, alarmWebhookSecret: secret } = settings;
  return startDashboard({
    ...options,
    port: settings.dashboardPort,
    baseUrl: settings.dashboardUrl,
    alarms: { rejectedPercent: settings.alarmRejectedPercent },
    webhook: url === undefined ? undefined : { url, secret },
  });
});
