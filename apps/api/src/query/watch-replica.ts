import type { Database } from '@takt/database';

type Pool = Database['pool'];

interface ReplicaOptions {
  readonly primary: Pool;
  readonly replica: Pool;
  /** Pools for checks and token look-ups, which stay available when all of the readers' connections are in use. */
  readonly vital: { readonly primary: Pool; readonly replica: Pool };
  /** If the replica lags more than this, reads go to the primary while it answers. */
  readonly maxLagMs: number;
  /** Called with a sentence whenever the server for reads changes. */
  readonly onChange: (what: string) => void;
  /** Interval of the checks. Default 1,000. */
  readonly everyMs?: number;
}

/** Chooses between a primary and its streaming replica. */
export interface ReplicaWatch {
  /** The pool for reads. A request calls this only once, so that its answer comes from one server. */
  poolToRead(): Pool;
  /**
   * Pools to look up a token in, in this order: the primary first while it answers, because only the primary knows of a
   * revocation at once.
   */
  poolsForTokens(): readonly Pool[];
  /** A pool on the server chosen for reads, for checks that must not wait for the readers' connections. */
  vitalPool(): Pool;
  /** Lines about both servers for the readiness answer. */
  describe(): readonly string[];
  /** Upper bound of the replica's lag; undefined while unknown. */
  lagMs(): number | undefined;
  /** Checks at once, for example after a lost connection. */
  lookNow(): void;
  close(): void;
}

const EVERY_MS = 1_000;
/**
 * Largest lag of a replica that is used when a look-up fails on a primary that counts as available. With grants cached
 * for 3 s, a revocation takes effect within 5 s.
 */
const MAX_LAG_FOR_TOKENS_MS = 1_000;
/**
 * Limit of remembered moments. Beyond it every second one is dropped, so that the replica may be unreachable for days.
 */
const MAX_MOMENTS = 1_000;

/** A time of the monotonic clock, with the position in the primary's log at that time or shortly after. */
interface Moment {
  readonly atMs: number;
  readonly position: bigint;
}

interface Replica {
  readonly system: string;
  readonly isReplica: boolean;
  /** The position up to which the replica has replayed the log. */
  readonly position: bigint;
}

/**
 * Watches both servers, by reading their log positions once a second. The replica's lag is the age of the newest moment
 * at which the primary had written no more than the replica has replayed by now. So the lag is zero while the primary
 * is idle, and grows while the replica is cut off from a busy primary. Neither server's clock is used. The lag is an
 * upper bound, up to a second too high. No privileges are needed: pg_stat_wal_receiver is empty for an API's log-in,
 * and the replica's own state does not show what it misses.
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
    // Read after the primary, so that an up-to-date replica has had time to reach the primary's position.
    seen = await lookAtReplica().catch(() => undefined);
    lagMs = measureLag();
    // Reads return to the replica only at half of the limit, which prevents switching back and forth.
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

/** Positions in the log, as numbers of bytes. */
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
  const lag = lagMs === undefined ? 'unknown how far' : (lagMs / 1_000).toFixed(1);
  const what = `replica: ${lag} s behind`.replace('how far s', 'how far');
  if (!isPrimaryThere || !isTooOld) return what;
  return `${what}, so reads go to the primary until it is less than ${maxLagMs / 2_000} s`;
}
