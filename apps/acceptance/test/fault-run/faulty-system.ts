import type { TestRedis } from '@takt/test-support';
import type pg from 'pg';
import { openOwnPostgresSystem, type QueueKind } from '../kill/system.js';
import { type Clocks, openClocks } from '../support/clocks.js';
import type { OwnPostgres } from '../support/own-postgres.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** What workers stand on, each part of which can be harmed. */
export interface FaultySystem {
  readonly queueKind: QueueKind;
  /** Past the proxies: how the test itself reaches database and queue. */
  readonly pool: pg.Pool;
  readonly ownDatabaseUrl: string;
  readonly ownQueueUrl: string;
  /** How workers and producers reach them. */
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly toDatabase: TcpProxy;
  readonly toQueue: TcpProxy;
  readonly postgres: OwnPostgres;
  /** Where the queue is on Redis. */
  readonly redis: TestRedis | undefined;
  readonly clocks: Clocks;
  /** What PostgreSQL writes to. */
  readonly disk: SmallDisk;
  close(): Promise<void>;
}

const DISK_MB = 512;

const POSTGRES_SETTINGS = {
  // A full disk has no room for the next segment of the log, where otherwise an old one would be used again.
  wal_recycle: 'off',
  max_wal_size: '96MB',
  // What a killed worker has sent and still waits for a lock is rolled back.
  client_connection_check_interval: '100ms',
};

/** Rejects where this process may not mount a disk. */
export async function openFaultySystem(queueKind: QueueKind): Promise<FaultySystem> {
  const disk = await mountSmallDisk(DISK_MB);
  if (disk === undefined) throw new Error('this process may not mount a disk');
  const closes: (() => Promise<unknown>)[] = [() => disk.close()];
  const close = async () => {
    for (const one of closes.reverse()) await one();
  };
  const opened = async <Part extends { close(): Promise<unknown> }>(
    opening: Promise<Part>,
  ): Promise<Part> => {
    const part = await opening;
    closes.push(() => part.close());
    return part;
  };
  try {
    const options = { home: disk.path, settings: POSTGRES_SETTINGS };
    const system = await opened(openOwnPostgresSystem(queueKind, options));
    const toDatabase = await opened(startTcpProxy(portOf(system.databaseUrl)));
    const toQueue = await opened(startTcpProxy(portOf(system.queueUrl)));
    return {
      queueKind,
      pool: system.pool,
      ownDatabaseUrl: system.databaseUrl,
      ownQueueUrl: system.queueUrl,
      databaseUrl: withPort(system.databaseUrl, toDatabase.port),
      queueUrl: withPort(system.queueUrl, toQueue.port),
      toDatabase,
      toQueue,
      postgres: system.postgres,
      redis: system.redis,
      clocks: await opened(openClocks()),
      disk,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
