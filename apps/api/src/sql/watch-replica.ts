import type { Database } from '@takt/database';

type Pool = Database['pool'];

interface ReplicaOptions {
  readonly primary: Pool;
  readonly replica: Pool;
  /**
   * Separate pools for checks and for token look-ups. These pools still have free connections when all connections for
   * reading are in use.
   */
  readonly vital: { readonly primary: Pool; readonly replica: Pool };
  /**
   * The maximum lag of the replica. If the replica lags more, reads go to the primary, as long as the primary answers.
   */
  readonly maxLagMs: number;
  /** Called with a sentence whenever reads begin to go to the other server. */
  readonly onChange: (what: string) => void;
  /** Time in milliseconds between two checks. Default: 1,000. */
  readonly everyMs?: number;
}

/** Decides whether reads go to a primary or to its streaming replica. */
export interface ReplicaWatch {
  /**
   * The pool to read from. A request must call this function only once, so that its whole answer comes from one server.
   */
  poolToRead(): Pool;
  /**
   * The pools in which a token is looked up, in the order to try them. The primary is first as long as it answers,
   * because only the primary knows at once that a token was revoked.
   */
  poolsForTokens(): readonly Pool[];
  /**
   * A pool on the server that is chosen for reads. It is for checks that must not wait until a connection for reading
   * is free.
   */
  vitalPool(): Pool;
  /** Lines about both servers for the answer of the readiness check. */
  describe(): readonly string[];
  /** The replica lags at most this many milliseconds; undefined while the lag is unknown. */
  lagMs(): number | undefined;
  /** Checks both servers at once, for example after a connection was lost. */
  lookNow(): void;
  close(): void;
}

const EVERY_MS = 1_000;
/**
 * The maximum lag of a replica that is asked for a token when the look-up on the primary fails although the primary
 * counts as available. Since grants are cached for 3 s, a revocation takes effect within 5 s.
 */
const MAX_LAG_FOR_TOKENS_MS = 1_000;
/**
 * The maximum number of moments to remember. If there are more, every second moment is dropped, so that the replica may
 * be unreachable for days without filling the memory.
 */
const MAX_MOMENTS = 1_000;

/** A time on the monotonic clock, and the position of the primary's log at this time or shortly after it. */
interface Moment {
  readonly atMs: number;
  readonly position: bigint;
}

interface Replica {
  readonly system: string;
  readonly isReplica: boolean;
  /** The position in the primary's log up to which the replica has replayed it. */
  readonly position: bigint;
}

/**
 * Watches both servers by reading the positions in their logs once a second.
 * The lag of the replica is the age of a moment: the newest moment at which the primary's log was no longer than what
 * the replica has replayed by now. So the lag is zero while the primary is idle, and grows while the replica is cut off
 * from a busy primary. The clocks of the servers are not used. The measured lag is an upper bound, which is at most a
 * second too high.
 * Measuring the lag requires no privileges. Alternatives were rejected: pg_stat_wal_receiver shows nothing to the
 * log-in of an API, and the replica's own state does not show which changes it has not received yet.
 */
export async function watchReplica(options: ReplicaOptions): Promise<ReplicaWatch> {
  const { primary, replica, vital, maxLagMs, onChange, everyMs = EVERY_MS } = options;
  let moments: Moment[] = [];
  let system: string | undefined;
  let isPrimaryThere = false;
  let seen: Replica | undefined;
  let lagMs: number | undefined;
  let isTooOld = false;
  let reported = '';
  let isLooking = false;
  let isClosed = false;

  const lookAtPrimary = async () => {
    const atMs = performance.now();
    const { rows } = await vital.primary.query<PrimaryRow>(OF_PRIMARY);
    const [row] = rows;
    if (row === undefined) throw new Error('the primary did not report its position');
    system = row.system;
    const moment = { atMs, position: BigInt(row.position) };
    if (moments.at(-1)?.position === moment.position) moments.pop();
    moments.push(moment);
    if (moments.length > MAX_MOMENTS) moments = moments.filter((_, index) => index % 2 === 0);
  };
  const lookAtReplica = async () => {
    const { rows } = await vital.replica.query<ReplicaRow>(OF_REPLICA);
    const [row] = rows;
    if (row === undefined) throw new Error('the replica did not report its position');
    return { ...row, position: BigInt(row.position) };
  };
  const isUsable = () => seen?.isReplica === true && (system === undefined || seen.system === system);
  const measureLag = () => {
    const position = seen?.position;
    if (position === undefined || !isUsable()) return undefined;
    const reached = moments.findLast((moment) => moment.position <= position);
    return reached === undefined ? undefined : performance.now() - reached.atMs;
  };
  const readsReplica = () => isUsable() && !(isTooOld && isPrimaryThere);
  const look = async () => {
    isPrimaryThere = await lookAtPrimary().then(
      () => true,
      () => false,
    );
    // The replica is read after the primary. So an up-to-date replica has had time to reach the position that was read
    // from the primary.
    seen = await lookAtReplica().catch(() => undefined);
    lagMs = measureLag();
    // Reads return to the replica only when the lag is down to half of the limit. This prevents reads from switching
    // back and forth.
    isTooOld = lagMs === undefined || lagMs > (isTooOld ? maxLagMs / 2 : maxLagMs);
    const where = `reads go to the ${readsReplica() ? 'replica' : 'primary'}`;
    if (where !== reported) onChange(where);
    reported = where;
  };
  const lookNow = () => {
    if (isClosed || isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  };
  const timer = setInterval(lookNow, everyMs);
  await look();

  return {
    poolToRead: () => (readsReplica() ? replica : primary),
    poolsForTokens: () => {
      if (!isUsable()) return [vital.primary];
      if (!isPrimaryThere) return [vital.replica];
      const isFresh = lagMs !== undefined && lagMs < MAX_LAG_FOR_TOKENS_MS;
      return isFresh ? [vital.primary, vital.replica] : [vital.primary];
    },
    vitalPool: () => (readsReplica() ? vital.replica : vital.primary),
    describe: () => describe({ isPrimaryThere, seen, isUsable: isUsable(), isTooOld, lagMs, maxLagMs }),
    lagMs: () => lagMs,
    lookNow,
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

interface PrimaryRow {
  readonly system: string;
  readonly position: string;
}

interface ReplicaRow {
  readonly system: string;
  readonly isReplica: boolean;
  readonly position: string;
}

/** The position of the primary's log, in bytes from the start of the log. */
const OF_PRIMARY = `
  SELECT system_identifier::text AS system, (pg_current_wal_lsn() - '0/0')::text AS position FROM pg_control_system()`;

const OF_REPLICA = `
  SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isReplica",
    (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::text AS position
  FROM pg_control_system()`;

interface ReplicaState {
  readonly isPrimaryThere: boolean;
  readonly seen: Replica | undefined;
  readonly isUsable: boolean;
  readonly isTooOld: boolean;
  readonly lagMs: number | undefined;
  readonly maxLagMs: number;
}

function describe(state: ReplicaState): readonly string[] {
  const lines = [describeReplica(state)];
  if (!state.isPrimaryThere) {
    lines.push(
      'primary: cannot be reached, so nobody can sign in: check DATABASE_URL and that the server runs',
    );
  }
  return lines;
}

function describeReplica({
  seen,
  isUsable,
  isTooOld,
  isPrimaryThere,
  lagMs,
  maxLagMs,
}: ReplicaState): string {
  if (seen === undefined) {
    return 'replica: cannot be reached, so reads go to the primary: check DATABASE_REPLICA_URL and that the server runs';
  }
  if (!seen.isReplica) {
    return 'replica: it accepts changes of its own, so reads go to the primary: correct DATABASE_URL or DATABASE_REPLICA_URL';
  }
  if (!isUsable) {
    return 'replica: it belongs to another server, so reads go to the primary: set DATABASE_REPLICA_URL to a replica of DATABASE_URL';
  }
  const what = `replica: ${lagMs === undefined ? 'unknown how far' : `${(lagMs / 1_000).toFixed(1)} s`} behind`;
  if (!isPrimaryThere || !isTooOld) return what;
  return `${what}, so reads go to the primary until it is less than ${maxLagMs / 2_000} s`;
}
