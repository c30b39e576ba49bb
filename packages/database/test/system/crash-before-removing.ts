import { exportRejectedEvents } from '@takt/database/rejected-events';
import { openQueueBackend } from '@takt/events/internal';
import pg from 'pg';

// This worker commits rejected events to PostgreSQL, and is killed before it removes any of them from their queue.
const [queueUrl = '', databaseUrl = ''] = process.argv.slice(2);
const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
const queue = backend.openQueue('work-order-operations');
queue.remove = async () => (process.kill(process.pid, 'SIGKILL') ? 0 : 0);
await exportRejectedEvents(queue, new pg.Pool({ connectionString: databaseUrl }), {
  limits: { maxCount: 0, maxAgeMs: 1 },
  signal: new AbortController().signal,
});
