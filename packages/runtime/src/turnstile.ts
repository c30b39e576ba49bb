/** Gives the place back. Only the first call has an effect. */
export type Leave = () => void;

/** Why an entry got no place: too many wait already, or its time ran out while it waited. */
export type TurnedAway = 'full' | 'late';

/** The bounds of a turnstile. Sizes are in whatever unit its entries use: places, bytes, events. */
export interface TurnstileLimits {
  /** Total size of the work under way at a time. Larger entries count as this much, so they run alone. */
  readonly capacity: number;
  /** The most that one owner of a kind may have under way, such as `{ company: 4, token: 3 }`. Default: no bound. */
  readonly shares?: Readonly<Record<string, number>>;
  /** Entries that may wait at a time. Default: no bound. */
  readonly maxWaiting?: number;
  /** The same for one owner of a kind. Default: no bound. */
  readonly waitingShares?: Readonly<Record<string, number>>;
  /** An entry that would probably wait longer than this, in ms, is turned away at once. Default: no bound. */
  readonly maxWaitMs?: number;
}

export interface Entry {
  /** Default 1. */
  readonly size?: number;
  /** Who the work is for, by kind, such as `{ company: '3', token: 'a1' }`. */
  readonly owners?: Readonly<Record<string, string>>;
  /** Lower ranks go first, and take the waiting place of a higher rank when there is none left. Default 0. */
  readonly rank?: number;
  /** Until when it may wait, in the time of performance.now(). Default: for ever. */
  readonly untilMs?: number;
  /** Aborted when nobody wants the place any more: the entry is then `late`. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets a bounded amount of work run at a time, with a share for each owner. */
export interface Turnstile {
  /** Resolves when it is the entry's turn, with the function that gives its place back. Never rejects. */
  enter(entry?: Entry): Promise<Leave | TurnedAway>;
  /** What runs and what waits now. */
  state(): { readonly underWay: number; readonly waiting: number };
}

interface Waiting {
  readonly size: number;
  readonly rank: number;
  readonly owners: readonly Owner[];
  readonly sinceMs: number;
  readonly untilMs: number;
  settle(outcome: Leave | TurnedAway): void;
}

/** `key` names the owner among all kinds. */
interface Owner {
  readonly kind: string;
  readonly key: string;
}

/** The weight of the newest interval in the running average. */
const NEWEST_WEIGHT = 0.05;

/**
 * The one waiting room of Takt. Of the entries whose owners have room in their shares, the lowest rank begins first; among
 * equal ranks, the one whose owners use the smallest part of their shares; then the one that came first. So an owner that
 * asks a thousand times delays the single question of another by one turn, not by a thousand.
 *
 * With `maxWaitMs` the wait is estimated: the number of entries that go before, times the average time between two that end
 * while others wait. A fixed length of the queue would be too short for fast work and too long for slow work.
 */
export function createTurnstile(limits: TurnstileLimits): Turnstile {
  const { capacity, shares = {}, waitingShares = {}, maxWaiting = Number.POSITIVE_INFINITY } = limits;
  const { maxWaitMs = Number.POSITIVE_INFINITY } = limits;
  // In the order in which they came.
  const waiting: Waiting[] = [];
  const underWayOf = new Map<string, number>();
  const waitingOf = new Map<string, number>();
  let underWay = 0;
  let lastEndMs = 0;
  let hasWaitedSince = false;
  let intervalMs = 0;

  /** The largest part that one of its owners uses of its share. */
  const usedShare = ({ owners }: Waiting): number => {
    let used = 0;
    for (const { kind, key } of owners) {
      used = Math.max(used, (underWayOf.get(key) ?? 0) / (shares[kind] ?? capacity));
    }
    return used;
  };
  const fitsShares = ({ owners, size }: Pick<Waiting, 'owners' | 'size'>): boolean =>
    owners.every(({ kind, key }) => {
      const used = underWayOf.get(key) ?? 0;
      return used === 0 || used + size <= (shares[kind] ?? capacity);
    });

  /** The entry whose turn it is; undefined where every owner that waits has used up its share. */
  const findNext = (): Waiting | undefined => {
    let next: Waiting | undefined;
    let nextUsed = 0;
    for (const entry of waiting) {
      if (next !== undefined && entry.rank > next.rank) continue;
      if (!fitsShares(entry)) continue;
      const used = usedShare(entry);
      if (next !== undefined && entry.rank === next.rank && used >= nextUsed) continue;
      next = entry;
      nextUsed = used;
    }
    return next;
  };

  const remove = (entry: Waiting): boolean => {
    const position = waiting.indexOf(entry);
    if (position < 0) return false;
    waiting.splice(position, 1);
    for (const { key } of entry.owners) add(waitingOf, key, -1);
    return true;
  };

  const noteEnd = () => {
    const nowMs = performance.now();
    // An interval in which nobody waited tells how much was asked for, not how fast work ends.
    if (hasWaitedSince) intervalMs += (nowMs - lastEndMs - intervalMs) * NEWEST_WEIGHT;
    lastEndMs = nowMs;
    hasWaitedSince = waiting.length > 0;
  };
  const begin = ({ size, owners }: Pick<Waiting, 'size' | 'owners'>): Leave => {
    underWay += size;
    for (const { key } of owners) add(underWayOf, key, size);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      underWay -= size;
      for (const { key } of owners) add(underWayOf, key, -size);
      noteEnd();
      letIn();
    };
  };

  const letIn = () => {
    // What is too large for the room that is left is waited for: smaller entries would otherwise pass it for ever.
    for (let next = findNext(); next !== undefined && underWay + next.size <= capacity; next = findNext()) {
      remove(next);
      if (performance.now() > next.untilMs) {
        next.settle('late');
      } else {
        next.settle(begin(next));
      }
    }
  };

  const waitingBy = ({ owners }: Pick<Waiting, 'owners'>): number =>
    Math.max(0, ...owners.map(({ key }) => waitingOf.get(key) ?? 0));

  /** Owners take turns: an entry waits for those of its own owner, and for as many of every other owner. */
  const estimateWaitMs = (owners: readonly Owner[]): number => {
    const own = waitingBy({ owners });
    const before = owners.length === 0 ? waiting.length : (own + 1) * (waitingOf.size + 1) - 1;
    return Math.min(before, waiting.length) * intervalMs;
  };
  /** How long the first entry that is in the way has waited: any entry if all places are taken, else one of an owner's own. */
  const waitedMs = (owners: readonly Owner[], nowMs: number): number => {
    const isOwn = (entry: Waiting) => entry.owners.some(({ key }) => owners.some((own) => own.key === key));
    const first = waiting.find(isOwn);
    const ownMs = first === undefined ? 0 : nowMs - first.sinceMs;
    const [oldest] = waiting;
    if (oldest === undefined || underWay < capacity) return ownMs;
    return Math.max(ownMs, nowMs - Math.max(oldest.sinceMs, lastEndMs));
  };
  const hasWaitingShare = (owners: readonly Owner[]): boolean =>
    owners.every(
      ({ kind, key }) => (waitingOf.get(key) ?? 0) < (waitingShares[kind] ?? Number.POSITIVE_INFINITY),
    );
  const waitsTooLong = (owners: readonly Owner[]): boolean => {
    if (maxWaitMs === Number.POSITIVE_INFINITY) return false;
    return estimateWaitMs(owners) > maxWaitMs || waitedMs(owners, performance.now()) > maxWaitMs;
  };

  /**
   * Turns away the last entry of the highest rank; of equal ranks, of the owner that has most waiting. The newcomer itself,
   * where it stands no better than that one.
   */
  const makeRoomFor = (newcomer: Pick<Waiting, 'owners' | 'rank'>): boolean => {
    let last: Waiting | undefined;
    let most = 0;
    for (const entry of waiting) {
      const count = waitingBy(entry);
      if (last !== undefined && (entry.rank - last.rank || count - most) < 0) continue;
      last = entry;
      most = count;
    }
    if (last === undefined) return false;
    if ((last.rank - newcomer.rank || most - waitingBy(newcomer) - 1) <= 0) return false;
    remove(last);
    last.settle('full');
    return true;
  };

  const wait = (entry: Omit<Waiting, 'settle'>, signal: AbortSignal | undefined) =>
    new Promise<Leave | TurnedAway>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let isSettled = false;
      const settle = (outcome: Leave | TurnedAway) => {
        isSettled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const one = { ...entry, settle };
      const giveUp = () => {
        if (!remove(one)) return;
        settle('late');
        letIn();
      };
      waiting.push(one);
      for (const { key } of one.owners) add(waitingOf, key, 1);
      letIn();
      if (isSettled) return;
      if (one.untilMs !== Number.POSITIVE_INFINITY) {
        timer = setTimeout(giveUp, Math.max(0, one.untilMs - one.sinceMs));
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    });

  return {
    enter: async ({
      size = 1,
      owners = {},
      rank = 0,
      untilMs = Number.POSITIVE_INFINITY,
      signal,
    }: Entry = {}) => {
      const entry = {
        size: Math.min(size, capacity),
        rank,
        owners: Object.entries(owners).map(([kind, name]) => ({ kind, key: `${kind} ${name}` })),
        sinceMs: performance.now(),
        untilMs,
      };
      const isLate = entry.sinceMs > untilMs || signal?.aborted === true;
      const mustWait = underWay + entry.size > capacity || !fitsShares(entry);
      if (mustWait && (waitsTooLong(entry.owners) || !hasWaitingShare(entry.owners))) return 'full';
      if (mustWait && waiting.length >= maxWaiting && !makeRoomFor(entry)) return 'full';
      // Most work begins at once, and costs less so.
      const mayBegin = !mustWait && !isLate && waiting.length === 0;
      return mayBegin ? begin(entry) : wait(entry, signal);
    },
    state: () => ({ underWay, waiting: waiting.length }),
  };
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) {
    counts.delete(key);
  } else {
    counts.set(key, now);
  }
}
