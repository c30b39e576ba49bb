import type { DataPlace } from './data-place.js';

/** A setting of our own by which a server is recognised as the one of its data directory. */
export const IDENTITY_SETTING = 'takt.data_directory';

/** Modest enough for a machine that does other work too; what is committed stays. */
const DEFAULTS = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // So that `takt status` can say when the last commit was.
  track_commit_timestamp: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The arguments of `postgres`: defaults, then the caller's settings, then what this package relies on. */
export function serverArguments(
  data: DataPlace,
  port: number,
  settings: Readonly<Record<string, string>>,
): string[] {
  const merged = {
    ...DEFAULTS,
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    lc_messages: 'C',
    [IDENTITY_SETTING]: data.directory,
  };
  return [
    '-D',
    data.visibleAs,
    ...Object.entries(merged).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
