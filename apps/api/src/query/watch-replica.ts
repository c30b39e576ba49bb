import type { Database } from '@takt/database';

type Pool = Database['pool'];

interface ReplicaOptions {
  readonly primary: Pool;
  readonly replica: Pool;
  /** Pools for checks and tokens: they stay available when all of the readers' connections are in use. */
  readonly vital: { readonly primary: Pool; readonly replica: Pool };
  /** Beyond this lag the primary is read, while it answers. */
  readonly maxLagMs: number;
  /** Called with a sentence whenever the server for reads changes. */
  readonly onChange: (what: string) => void;
  /** Default 1,000. */
  readonly everyMs?: number;
}

/** Chooses between a primary and its streaming replica. */
export interface ReplicaWatch {
  /** The pool for reads. A request calls it once, so that its answer is from one server. */
  poolToRead(): Pool;
  /** In this order: the primary first while it answers, because only it knows a revocation at once. */
  poolsForTokens(): readonly Pool[];
  /** A pool of the server for reads, for checks that must not wait for readers. */
  vitalPool(): Pool;
  /** Lines for the readiness answer. */
  describe(): readonly string[];
  /** Upper bound of the replica's lag; undefined while unknown. */
  lagMs(): number | undefined;
  /** Checks at once, for example after a lost connection. */
  lookNow(): void;
  close(): void;
}

const EVERY_MS = 1_000;
/**
 * If a look-up fails on a primary that counts as available, a replica with at most this lag is used: with grants cached
 * for 3 s, a revocation takes effect within 5 s.
 */
const MAX_LAG_FOR_TOKENS_MS = 1_000;
/** Limit of remembered moments; beyond it every second one is dropped, so that a replica may be away for days. */
const MAX_MOMENTS = 1_000;

/** A time of the monotonic clock, with a position of the primary's log at or shortly after it. */
interface Moment {
  readonly atMs: number;
  readonly position: bigint;
}

interface Replica {
  readonly system: string;
  readonly isReplica: boolean;
  /** The replica has replayed the log up to here. */
  readonly position: bigint;
}

/**
 * Reads the positions of both servers once a second. The replica's lag is the age of the newest moment at which the
 * primary had written no more than the replica has replayed by now. So it has no lag on an idle primary, and a growing
 * one when cut off from a busy one; neither server's clock is used. It is an upper bound, up to a second too high.
 * Needs no privileges: pg_stat_wal_receiver is empty for an API's log-in, and the replica's own state does not show
 * what it misses.
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
    // Read after the primary, so that the replica may have caught up.
    seen = await lookAtReplica().catch(() => undefined);
    lagMs = measureLag();
    // The lower limit for returning prevents switching back and forth.
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

/** Positions in the log as numbers of bytes. */
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
