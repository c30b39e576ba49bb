/** Gives the place back to the limiter. Only the first call has an effect. */
export type Leave = () => void;

/**
 * The reason why an entry is turned away. `full`: too many entries wait already. `late`: the entry has waited too long.
 */
export type Refusal = 'full' | 'late';

/**
 * Limits for the work that runs at the same time. Sizes are in any unit that all entries share: places, bytes, events.
 */
export interface ConcurrencyLimits {
  /**
   * Maximum total size of the work that runs at the same time. A larger entry counts as this size, so it runs alone.
   */
  readonly capacity: number;
  /**
   * Maximum size of the running work of one owner, for each kind of owner, such as `{ company: 4, token: 3 }`. Default:
   * no limit.
   */
  readonly shares?: Readonly<Record<string, number>>;
  /** Maximum number of waiting entries. Default: no limit. */
  readonly maxWaiting?: number;
  /** Maximum number of waiting entries of one owner, for each kind of owner. Default: no limit. */
  readonly waitingShares?: Readonly<Record<string, number>>;
  /** Maximum estimated wait in ms. An entry whose estimated wait is longer is turned away. Default: no limit. */
  readonly maxWaitMs?: number;
}

export interface Entry {
  /** Size of the work of the entry. Default 1. */
  readonly size?: number;
  /** The owners of the work, by their kind, such as `{ company: '3', token: 'a1' }`. */
  readonly owners?: Readonly<Record<string, string>>;
  /**
   * Entries with a lower rank run first. If no waiting place is free, an entry with a lower rank replaces an entry with
   * a higher rank. Default 0.
   */
  readonly rank?: number;
  /** Latest time at which the work may start, in the time of performance.now(). Default: no limit. */
  readonly untilMs?: number;
  /** Abort this signal when the result is no longer wanted. The entry is then refused as `late`. */
  readonly signal?: AbortSignal | undefined;
}

interface AcceptedEntry {
  readonly size: number;
  readonly rank: number;
  readonly owners: readonly Owner[];
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface WaitingEntry extends AcceptedEntry {
  settle(outcome: Leave | Refusal): void;
}

/** An owner of work. Its `key` is unique across all kinds of owners. */
interface Owner {
  readonly kind: string;
  readonly key: string;
}

const ENDLESS = Number.POSITIVE_INFINITY;
/** Weight of the newest interval in the running average. */
const NEWEST_WEIGHT = 0.05;

/**
 * Limits the work that runs at the same time, with a share for each owner. Only entries whose owners have room in their
 * shares can run. Among these, the entry with the lowest rank runs first; then the entry whose owners use the smallest
 * part of their shares; then the oldest entry. So an owner with a thousand requests delays the single request of
 * another owner by one turn, not by a thousand. With `maxWaitMs` the limiter estimates the wait of an entry: the number
 * of entries ahead times the average interval between two completions while entries wait. A fixed length of the queue
 * would be too short for fast work and too long for slow work.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  /** The waiting entries, in the order of their arrival. */
  readonly #waiting: WaitingEntry[] = [];
  readonly #underWayOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  #underWay = 0;
  #lastEndMs = 0;
  #hasWaitedSince = false;
  #intervalMs = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for the turn of the entry. Resolves with a function that gives the place back, or with the reason why the
   * entry is turned away. Never rejects.
   */
  async enter({
    size = 1,
    owners = {},
    rank = 0,
    untilMs = ENDLESS,
    signal,
  }: Entry = {}): Promise<Leave | Refusal> {
    const { capacity, maxWaiting = ENDLESS } = this.#limits;
    const entry = {
      size: Math.min(size, capacity),
      rank,
      owners: Object.entries(owners).map(([kind, name]) => ({ kind, key: `${kind} ${name}` })),
      sinceMs: performance.now(),
      untilMs,
    };
    const isLate = entry.sinceMs > untilMs || signal?.aborted === true;
    const mustWait = this.#underWay + entry.size > capacity || !this.#fitsShares(entry);
    if (mustWait && (this.#waitsTooLong(entry) || !this.#hasWaitingShare(entry))) return 'full';
    if (mustWait && this.#waiting.length >= maxWaiting && !this.#makeRoomFor(entry)) return 'full';
    // Most work starts at once, so this path must be cheap.
    const mayBegin = !mustWait && !isLate && this.#waiting.length === 0;
    return mayBegin ? this.#begin(entry) : this.#wait(entry, signal);
  }

  /** Returns the size of the running work and the number of waiting entries. */
  state(): { readonly underWay: number; readonly waiting: number } {
    return { underWay: this.#underWay, waiting: this.#waiting.length };
  }

  #begin({ size, owners }: AcceptedEntry): Leave {
    this.#underWay += size;
    for (const { key } of owners) add(this.#underWayOf, key, size);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#underWay -= size;
      for (const { key } of owners) add(this.#underWayOf, key, -size);
      this.#noteEnd();
      this.#letIn();
    };
  }

  #noteEnd(): void {
    const nowMs = performance.now();
    // An interval in which nothing waited would measure the demand and not the speed.
    if (this.#hasWaitedSince) {
      this.#intervalMs += (nowMs - this.#lastEndMs - this.#intervalMs) * NEWEST_WEIGHT;
    }
    this.#lastEndMs = nowMs;
    this.#hasWaitedSince = this.#waiting.length > 0;
  }

  #letIn(): void {
    const { capacity } = this.#limits;
    // A large entry blocks the smaller entries behind it; otherwise they would overtake it for ever.
    for (
      let next = this.#findNext();
      next !== undefined && this.#underWay + next.size <= capacity;
      next = this.#findNext()
    ) {
      this.#remove(next);
      next.settle(performance.now() > next.untilMs ? 'late' : this.#begin(next));
    }
  }

  /**
   * Returns the next entry to run. Returns undefined if the owners of all waiting entries have used up their shares.
   */
  #findNext(): WaitingEntry | undefined {
    let next: WaitingEntry | undefined;
    let nextUsed = 0;
    for (const entry of this.#waiting) {
      if (next !== undefined && entry.rank > next.rank) continue;
      if (!this.#fitsShares(entry)) continue;
      const used = this.#usedShare(entry);
      if (next !== undefined && entry.rank === next.rank && used >= nextUsed) continue;
      next = entry;
      nextUsed = used;
    }
    return next;
  }

  #shareOf(kind: string): number {
    return this.#limits.shares?.[kind] ?? this.#limits.capacity;
  }

  /** Returns the part of their shares that the owners use. If there are several owners, the largest part counts. */
  #usedShare({ owners }: AcceptedEntry): number {
    let used = 0;
    for (const { kind, key } of owners) {
      used = Math.max(used, (this.#underWayOf.get(key) ?? 0) / this.#shareOf(kind));
    }
    return used;
  }

  #fitsShares({ owners, size }: AcceptedEntry): boolean {
    return owners.every(({ kind, key }) => {
      const used = this.#underWayOf.get(key) ?? 0;
      return used === 0 || used + size <= this.#shareOf(kind);
    });
  }

  #hasWaitingShare({ owners }: AcceptedEntry): boolean {
    const { waitingShares = {} } = this.#limits;
    return owners.every(
      ({ kind, key }) => (this.#waitingOf.get(key) ?? 0) < (waitingShares[kind] ?? ENDLESS),
    );
  }

  #waitsTooLong({ owners, sinceMs }: AcceptedEntry): boolean {
    const { maxWaitMs = ENDLESS } = this.#limits;
    if (maxWaitMs === ENDLESS) return false;
    return this.#estimateWaitMs(owners) > maxWaitMs || this.#waitedMs(owners, sinceMs) > maxWaitMs;
  }

  /**
   * Estimates the wait of a new entry. Owners take turns, so the entry waits for all entries of its own owner, and for
   * as many entries of each other owner.
   */
  #estimateWaitMs(owners: readonly Owner[]): number {
    const own = this.#waitingBy({ owners });
    const length = this.#waiting.length;
    const before = owners.length === 0 ? length : (own + 1) * (this.#waitingOf.size + 1) - 1;
    return Math.min(before, length) * this.#intervalMs;
  }

  /**
   * Returns the time for which the queue ahead has not moved. It is measured at the oldest entry of the same owner. If
   * all places are taken, it is also measured at the oldest entry of all owners.
   */
  #waitedMs(owners: readonly Owner[], nowMs: number): number {
    const isOwn = (entry: WaitingEntry) =>
      entry.owners.some(({ key }) => owners.some((own) => own.key === key));
    const first = this.#waiting.find(isOwn);
    const ownMs = first === undefined ? 0 : nowMs - first.sinceMs;
    const [oldest] = this.#waiting;
    if (oldest === undefined || this.#underWay < this.#limits.capacity) return ownMs;
    return Math.max(ownMs, nowMs - Math.max(oldest.sinceMs, this.#lastEndMs));
  }

  #waitingBy({ owners }: Pick<AcceptedEntry, 'owners'>): number {
    return Math.max(0, ...owners.map(({ key }) => this.#waitingOf.get(key) ?? 0));
  }

  /**
   * Turns away the last entry of the highest rank. If several owners have entries of that rank, it is the entry of the
   * owner with the most waiting entries. The newcomer itself may be turned away.
   */
  #makeRoomFor(newcomer: AcceptedEntry): boolean {
    let last: WaitingEntry | undefined;
    let most = 0;
    for (const entry of this.#waiting) {
      const count = this.#waitingBy(entry);
      if (last !== undefined && (entry.rank - last.rank || count - most) < 0) continue;
      last = entry;
      most = count;
    }
    if (last === undefined) return false;
    if ((last.rank - newcomer.rank || most - this.#waitingBy(newcomer) - 1) <= 0) return false;
    this.#remove(last);
    last.settle('full');
    return true;
  }

  #wait(entry: AcceptedEntry, signal: AbortSignal | undefined): Promise<Leave | Refusal> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let isSettled = false;
      const settle = (outcome: Leave | Refusal) => {
        isSettled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const one = { ...entry, settle };
      const giveUp = () => {
        if (!this.#remove(one)) return;
        settle('late');
        this.#letIn();
      };
      this.#waiting.push(one);
      for (const { key } of one.owners) add(this.#waitingOf, key, 1);
      this.#letIn();
      if (isSettled) return;
      if (one.untilMs !== ENDLESS) timer = setTimeout(giveUp, Math.max(0, one.untilMs - one.sinceMs));
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    });
  }

  /** Removes the entry. Returns false if the entry no longer waits. */
  #remove(entry: WaitingEntry): boolean {
    const position = this.#waiting.indexOf(entry);
    if (position < 0) return false;
    this.#waiting.splice(position, 1);
    for (const { key } of entry.owners) add(this.#waitingOf, key, -1);
    return true;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) {
    counts.delete(key);
  } else {
    counts.set(key, now);
  }
}
