import type { Database } from '@takt/database';

type Pool = Database['pool'];

interface ReplicaOptions {
  readonly primary: Pool;
  readonly replica: Pool;
  /** Of a few connections each: where those to read with are all lent, a server is not away, and tokens are found. */
  readonly vital: { readonly primary: Pool; readonly replica: Pool };
  /** Beyond this the replica is not read from while the primary answers. */
  readonly maxLagMs: number;
  /** Hears in a sentence where reads go, each time that changes. */
  readonly onChange: (what: string) => void;
  /** Default 1,000. */
  readonly everyMs?: number;
}

/** Which of two servers, a primary and its streaming replica, is to be asked. */
export interface ReplicaWatch {
  /** Where to read: a request asks once and stays there, so that its answer is from one moment of one server. */
  poolToRead(): Pool;
  /** In this order: the primary first while it answers, for it alone knows of a revocation at once. */
  poolsForTokens(): readonly Pool[];
  /** Of the server that is read from: what tells whether it is fit does not wait for readers. */
  vitalPool(): Pool;
  /** For whoever asks whether the API is ready, a line each. */
  describe(): readonly string[];
  /** How far the replica is behind at most; undefined before that is known. */
  lagMs(): number | undefined;
  /** Looks at once, as where a connection broke. */
  lookNow(): void;
  close(): void;
}

const EVERY_MS = 1_000;
/**
 * Where the primary fails a look-up and still counts as there, a replica that was no further behind a second ago is asked
 * instead: with the 3 s for which a grant is believed, a revocation is known within 5 s.
 */
const MAX_LAG_FOR_TOKENS_MS = 1_000;
/** So many moments are remembered; of more, every second one, so that a replica may be away for days. */
const MAX_MOMENTS = 1_000;

/** A moment, by the steady clock, and how far the log of the primary had come by then or a little later. */
interface Moment {
  readonly atMs: number;
  readonly position: bigint;
}

interface Replica {
  readonly system: string;
  readonly isReplica: boolean;
  /** Up to here the log of the primary is replayed. */
  readonly position: bigint;
}

/**
 * Asks both servers once a second how far they are. A replica is as old as the newest moment at which the primary had
 * written no more than the replica has replayed by now: on an idle primary it is not behind, cut off from a busy one it is,
 * and no clock of either server takes part. It is an upper bound, up to a second too high.
 *
 * Without privileges: pg_stat_wal_receiver would show an API's log-in nothing, and what the replica knows of its
 * connection does not tell what it misses.
 */
export async function watchReplica(options: ReplicaOptions): Promise<ReplicaWatch> {
  const { primary, replica, vital, maxLagMs, onChange, everyMs = EVERY_MS } = options;
  let moments: Moment[] = [];
  let system: string | undefined;
  let isPrimaryThere = false;
  let seen: Replica | undefined;
  let lagMs: number | undefined;
  let isTooOld = false;
  let told = '';
  let isLooking = false;
  let isClosed = false;

  const lookAtPrimary = async () => {
    const atMs = performance.now();
    const { rows } = await vital.primary.query<PrimaryRow>(OF_PRIMARY);
    const [row] = rows;
    if (row === undefined) throw new Error('the primary did not say how far it is');
    system = row.system;
    const moment = { atMs, position: BigInt(row.position) };
    if (moments.at(-1)?.position === moment.position) moments.pop();
    moments.push(moment);
    if (moments.length > MAX_MOMENTS) moments = moments.filter((_, index) => index % 2 === 0);
  };
  const lookAtReplica = async () => {
    const { rows } = await vital.replica.query<ReplicaRow>(OF_REPLICA);
    const [row] = rows;
    if (row === undefined) throw new Error('the replica did not say how far it is');
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
    // Afterwards: what the primary had a moment ago, the replica may have by now.
    seen = await lookAtReplica().catch(() => undefined);
    lagMs = measureLag();
    // Back below half of what is allowed, so that it does not go to and fro.
    isTooOld = lagMs === undefined || lagMs > (isTooOld ? maxLagMs / 2 : maxLagMs);
    const where = `reads go to the ${readsReplica() ? 'replica' : 'primary'}`;
    if (where !== told) onChange(where);
    told = where;
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
    return 'replica: takes changes of its own, so reads go to the primary: set DATABASE_URL or DATABASE_REPLICA_URL anew';
  }
  if (!isUsable) {
    return 'replica: is that of another server, so reads go to the primary: set DATABASE_REPLICA_URL to one of DATABASE_URL';
  }
  const behind = lagMs === undefined ? 'unknown how far' : (lagMs / 1_000).toFixed(1);
  const what = `replica: ${behind} s behind`.replace('how far s', 'how far');
  if (!isPrimaryThere || !isTooOld) return what;
  return `${what}, so reads go to the primary until it is less than ${maxLagMs / 2_000} s`;
}
