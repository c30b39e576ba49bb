import { createHash, createHmac } from 'node:crypto';
import { TAKT_VERSION } from '@takt/run/version';
import type { AlarmNotice } from './alarm-records.js';
import { describeAlarm } from './alarms.js';

export interface Webhook {
  /** URL of the webhook, with http: or https:. */
  readonly url: string;
  /** Secret that signs the body. If undefined, the body is not signed. */
  readonly secret: string | undefined;
  /** URL of the dashboard, to which the message links. */
  readonly dashboardUrl: string;
}

const DEADLINE_MS = 10_000;
/** The end of an alarm that still lasts, in the format of Alertmanager. */
const NO_END = '0001-01-01T00:00:00Z';
const GUIDE = 'docs/operating/alarms.md';

/**
 * Posts the start or the end of an alarm. The message has the format of Alertmanager's webhook (version 4), so that
 * receivers for Alertmanager work. Rejects unless the receiver responds with 2xx within 10 s. Redirects are not
 * followed.
 */
export async function postNotice(notice: AlarmNotice, { url, secret, dashboardUrl }: Webhook): Promise<void> {
  const body = JSON.stringify(messageOf(notice, dashboardUrl));
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `takt/${TAKT_VERSION}`,
      ...(secret !== undefined && { 'X-Takt-Signature': signatureOf(body, secret) }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}

/** Returns the HMAC of the body, for the header X-Takt-Signature. */
function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Makes the message in the format of https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
function messageOf(notice: AlarmNotice, dashboardUrl: string): unknown {
  const { name, subject, isEnd, begunAt, endedAt } = notice;
  const status = isEnd ? 'resolved' : 'firing';
  const { text, remedy } = describeAlarm(notice, 'eng');
  const labels = { alertname: name, severity: 'critical', ...(subject !== '' && { subject }) };
  const annotations = {
    summary: text,
    description: remedy.replaceAll('`', ''),
    runbook_url: `${GUIDE}#${name.toLowerCase()}`,
  };
  return {
    version: '4',
    groupKey: `{}:{alertname=${JSON.stringify(name)}, subject=${JSON.stringify(subject)}}`,
    truncatedAlerts: 0,
    status,
    receiver: 'takt',
    groupLabels: { alertname: name, subject },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: dashboardUrl,
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: begunAt.toISOString(),
        endsAt: endedAt?.toISOString() ?? NO_END,
        generatorURL: `${dashboardUrl}/`,
        // The fingerprint stays the same from the start of an alarm to its end.
        fingerprint: createHash('sha256').update(JSON.stringify(labels)).digest('hex').slice(0, 16),
      },
    ],
  };
}
