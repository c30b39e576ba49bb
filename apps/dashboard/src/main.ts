import { runApp } from '@takt/database/app';
import { startDashboard } from './start-dashboard.js';

await runApp('dashboard', ({ settings, options }) => {
  const { alarmWebhookUrl: url, alarmWebhookSecret: secret } = settings;
  return startDashboard({
    ...options,
    port: settings.dashboardPort,
    baseUrl: settings.dashboardUrl,
    alarms: { rejectedPercent: settings.alarmRejectedPercent },
    webhook: url === undefined ? undefined : { url, secret },
  });
});
